// Lines of a change log, without those of dependencies: published packages contain the workspace's packages, or name them in their own changesets.
const { getReleaseLine } = require("@changesets/cli/changelog").default;

module.exports = { getReleaseLine, getDependencyReleaseLine: async () => "" };
