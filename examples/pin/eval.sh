# Stands for an evaluation: counts the words of each prompt.
{
  echo '# Prompts'
  echo
  for prompt in evals/prompts/*.md; do
    echo "- $prompt: $(wc -w < "$prompt" | tr -d ' ') words"
  done
} > evals/report.md
