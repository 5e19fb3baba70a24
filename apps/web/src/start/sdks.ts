export const SDKS = ["curl", "openfeature-server", "openfeature-web", "statsig-node-core", "statsig-node", "statsig-js-client"] as const;
export type SDK = (typeof SDKS)[number];
