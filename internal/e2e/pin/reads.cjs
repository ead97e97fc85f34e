// Notes which files below the current folder a program reads, one a line, in $PIN_READS.
const fs = require('fs');
const path = require('path');
const root = process.cwd() + path.sep;
const seen = new Set();
function note(name) {
  if (typeof name === 'number') return;
  const file = path.resolve(name instanceof URL ? name.pathname : String(name));
  if (!file.startsWith(root) || seen.has(file)) return;
  seen.add(file);
  fs.appendFileSync(process.env.PIN_READS, file.slice(root.length) + '\n');
}
for (const [from, names] of [[fs, ['readFileSync', 'readFile', 'openSync', 'open']], [fs.promises, ['readFile', 'open']]]) {
  for (const name of names) {
    const read = from[name];
    from[name] = function (file, ...rest) {
      note(file);
      return read.call(this, file, ...rest);
    };
  }
}
require('module').syncBuiltinESMExports();
