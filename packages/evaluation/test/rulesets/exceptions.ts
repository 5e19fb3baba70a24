export type Generation = "older" | "newer";

/** The parts of an answer, in our words. */
export type About = "value" | "ruleID" | "groupName" | "reason" | "secondaryExposures" | "allocatedExperiment";

/** Specs of the ruleset that SDKs of one generation answer differently from us. */
export type Exception = { title: string; generation: Generation; names: string[]; about: About[] };

export const EVERYTHING: About[] = ["value", "ruleID", "groupName", "reason", "secondaryExposures", "allocatedExperiment"];

export const EXCEPTIONS: Exception[] = [
  {
    title: "Newer SDKs follow the rules of what is not enabled; we follow none, as older ones.",
    generation: "newer",
    names: ["off", "of a disabled gate", "switched off", "disabled experiment", "page that is off"],
    about: EVERYTHING,
  },
  {
    title: "Newer SDKs know no conditions on several gates at once; we know them, as older ones.",
    generation: "newer",
    names: ["of several gates"],
    about: EVERYTHING,
  },
  {
    title: "Newer SDKs name some rule of what an unsupported spec depends on; we name none, as older ones.",
    generation: "newer",
    names: ["unsupported", "of an unsupported gate", "page of an unsupported config"],
    about: ["ruleID"],
  },
  {
    title: "Newer SDKs name the group of the gate that a layer depends on where no rule decides; we name none, as older ones.",
    generation: "newer",
    names: ["page that is over"],
    about: ["groupName"],
  },
  {
    title: "Older SDKs expose a gate that does not exist; we expose none, as newer ones.",
    generation: "older",
    names: ["of a missing gate"],
    about: ["secondaryExposures"],
  },
  {
    title: "Older SDKs take a gate for true if a rule lets the user pass, whatever its value; we look at the value, as newer ones.",
    generation: "older",
    names: ["false by a rule"],
    about: ["value"],
  },
  {
    title: "Older SDKs know no conditions on a user's group; we know them, as newer ones.",
    generation: "older",
    names: ["of a group"],
    about: EVERYTHING,
  },
];
