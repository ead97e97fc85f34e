module.exports = class { id() { return "mine"; } async callApi(p) { return { output: p }; } };
