import { hash } from "node:crypto";
import { createEvaluator, type Evaluator, type RulesetV1 } from "@gatehouse/evaluation";
import type { KeyScope } from "../../context.ts";
import { toText } from "../../store/entity-text.ts";
import { checksum } from "../checksum.ts";
import { type Compiler, createCompiler } from "../compile/compiler.ts";
import { toV2 } from "../compile/ruleset-v2.ts";
import type { LoadedProject } from "./loaded-project.ts";
import { type Sendable, sendable } from "./sendable.ts";

/** What a key sees of a project's ruleset, as of one moment. It never changes: a change makes another. */
export type RulesetView = {
  ruleset: RulesetV1;
  evaluator: Evaluator;
  /** When the ruleset last changed, ms. Of two views of a project, the later never has the lower one. */
  time: number;
  /** Differs where the content differs; the same on every replica. */
  checksum: string;
  /** As `download_config_specs` answers it, in both shapes. */
  v1: Sendable;
  v2: Sendable;
};

/** How many scopes of keys are remembered for a project. */
const MOST_SCOPES = 100;

type Remembered = { compiler: Compiler; view?: RulesetView };

export type Views = {
  /** What a key with this scope sees of the project. */
  of(loaded: LoadedProject, scope: KeyScope): RulesetView;
  /** The project changed: views are made anew. What did not change is not compiled again. */
  forget(): void;
};

/** The views of one project, one for each scope that its keys have. */
export function createViews(now: () => number): Views {
  const scopes = new Map<string, Remembered>();
  return {
    of(loaded, scope) {
      const key = keyOf(scope);
      let remembered = scopes.get(key);
      if (!remembered) {
        if (scopes.size >= MOST_SCOPES) scopes.clear();
        remembered = { compiler: createCompiler() };
        scopes.set(key, remembered);
      }
      remembered.view ??= makeView(loaded, remembered.compiler.compile(loaded.project, scope, loaded.time), now);
      return remembered.view;
    },

    forget() {
      for (const remembered of scopes.values()) delete remembered.view;
    },
  };
}

function keyOf({ environments, targetApps }: KeyScope): string {
  if (environments.length === 0 && targetApps.length === 0) return "";
  return JSON.stringify([environments.toSorted(), targetApps.toSorted()]);
}

function makeView({ time, lists }: LoadedProject, ruleset: RulesetV1, now: () => number): RulesetView {
  const named = Object.keys(ruleset.id_lists ?? {}).flatMap((name) => {
    const list = lists.get(name);
    return list ? [[name, list] as const] : [];
  });
  const idLists = Object.fromEntries(named.map(([name, { hashes }]) => [name, hashes]));
  const sum = checksumOf(
    ruleset,
    named.map(([name, { version }]) => `${name}:${version}`),
  );
  return {
    ruleset,
    evaluator: createEvaluator(ruleset, { idLists, now }),
    time,
    checksum: sum,
    v1: sendable(() => textOf({ ...ruleset, checksum: sum })),
    v2: sendable(() => textOf({ ...toV2(ruleset), checksum: sum })),
  };
}

/** Of all that decides, and of nothing else: the same on every replica. Each spec's part is made once in its life. */
function checksumOf({ time: _, ...ruleset }: RulesetV1, lists: string[]): string {
  return checksum(`${lists.join()}\n${textOf(ruleset, hashOf)}`);
}

/** The JSON of a ruleset; of its specs, the texts that `write` has. */
function textOf(ruleset: object, write: (part: object) => string = toText): string {
  return `{${Object.entries(ruleset)
    .filter(isGiven)
    .map(([name, value]) => `${JSON.stringify(name)}:${partText(value, write)}`)
    .join()}}`;
}

function partText(value: unknown, write: (part: object) => string): string {
  if (Array.isArray(value)) return `[${value.map((one) => (isObject(one) ? write(one) : JSON.stringify(one))).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(isGiven);
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${isObject(one) ? write(one) : JSON.stringify(one)}`).join()}}`;
}

const hashes = new WeakMap<object, string>();

function hashOf(part: object): string {
  let known = hashes.get(part);
  if (known === undefined) {
    known = hash("sha256", toText(part), "base64url");
    hashes.set(part, known);
  }
  return known;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isGiven = ([, value]: [string, unknown]) => value !== undefined;
