// Bodies that are cheap to send and expensive to process. Created on first use and cached.

const list = (field, item, count) => () => `{"${field}":[${Array(count).fill(item).join()}]}`;
const at =
  (...ids) =>
  ({ id }) =>
    ids.includes(id);
const anywhere = () => true;
const EVENTS = at("logEvent", "registerEvents");
const IDS = at("addSegmentIDs", "removeSegmentIDs", "resetSegmentIDList");
const RULES = at(
  "createGate",
  "updateGate",
  "patchGate",
  "addGateRules",
  "patchGateRules",
  "createDynamicConfig",
  "patchDynamicConfig",
  "createSegment",
);
const USERS = at("checkGate", "getConfigValue", "getLayerValue", "initializeClient");
const customIDs = (count) => () =>
  `{"gateName":"gate_1","configName":"dynamic_config_1","layerName":"layer_1","user":{"userID":"a","customIDs":{${Array.from({ length: count }, (_, index) => `"id${index}":"x"`).join()}}}}`;

const BODIES = [
  { name: "exposures of numbers", fits: at("logCustomExposure"), make: list("exposures", "1", 400_000) },
  { name: "exposures of objects", fits: at("logCustomExposure"), make: list("exposures", "{}", 300_000) },
  { name: "empty events", fits: EVENTS, make: list("events", "{}", 3_400_000) },
  { name: "events of numbers", fits: EVENTS, make: list("events", "1", 4_000_000) },
  { name: "many small events", fits: EVENTS, make: list("events", '{"eventName":"purchase","user":{"userID":"user_1"}}', 10_000) },
  { name: "an event of many fields", fits: EVENTS, make: () => `{"events":[{"eventName":"purchase","metadata":${manyMembers(200_000)}}]}` },
  { name: "ids", fits: IDS, make: () => `{"ids":[${Array.from({ length: 20_000 }, (_, index) => `"user_${index}"`).join()}]}` },
  { name: "equal ids", fits: IDS, make: list("ids", '"user_1"', 1_000_000) },
  { name: "ids that are numbers", fits: IDS, make: list("ids", "1", 5_000_000) },
  { name: "rules that are numbers", fits: RULES, make: () => `{"name":"abc","rules":[${Array(400_000).fill(1).join()}]}` },
  {
    name: "rules without conditions",
    fits: RULES,
    make: () => `{"name":"abc","rules":[${Array(15_000).fill('{"name":"a","passPercentage":1,"conditions":[]}').join()}]}`,
  },
  { name: "empty rules", fits: RULES, make: list("rules", "{}", 300_000) },
  {
    name: "a rule of many conditions",
    fits: RULES,
    make: () => `{"name":"abc","rules":[{"name":"a","passPercentage":1,"conditions":[${Array(40_000).fill('{"type":"public"}').join()}]}]}`,
  },
  { name: "custom ids", fits: USERS, make: customIDs(60_000) },
  { name: "gate names that are numbers", fits: at("checkGate"), make: list("gateNames", "1", 400_000) },
  { name: "unknown fields", fits: anywhere, make: () => manyMembers(80_000) },
  { name: "one long name", fits: anywhere, make: () => `{"${"nam".repeat(340_000)}":1}` },
  { name: "one long text", fits: anywhere, make: () => `{"name":"${"x".repeat(1_000_000)}"}` },
  { name: "a list of numbers", fits: anywhere, make: () => `[${Array(500_000).fill(1).join()}]` },
  { name: "deep lists", fits: anywhere, make: () => "[".repeat(500_000) },
  { name: "blanks", fits: anywhere, make: () => `${" ".repeat(1_000_000)}{}` },
];

/** Generators of bodies, each with the operations that it is for. */
export const LARGE_BODIES = BODIES.map(({ name, fits }) => ({ name, fits }));

const made = new Map();

export function largeBody(name) {
  if (!made.has(name)) made.set(name, Buffer.from(BODIES.find((body) => body.name === name).make()));
  return made.get(name);
}

function manyMembers(count) {
  return `{${Array.from({ length: count }, (_, index) => `"field${index}":1`).join()}}`;
}
