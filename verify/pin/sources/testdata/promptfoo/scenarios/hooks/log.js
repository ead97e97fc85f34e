module.exports = { afterAll: async () => {} };
