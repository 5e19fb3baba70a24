import type { OperationId } from "@gatehouse/contract/console";
import type { Context } from "../common/context.ts";
import { conflict } from "../common/errors.ts";
import type { HeldList } from "./holdouts/holding.ts";
import { changeHoldout, type Holdout } from "./holdouts/holdout.ts";
import type { Env, Stores } from "./stores.ts";
import type { Team } from "./teams/team.ts";

type Body = { idType?: string; layerID?: string | null; teamID?: string | null };

/** The values that an operation adds to a body without them. */
type Defaults = {
  /** Whether a new entity with this body has the unit ID type of the project's settings. */
  takesUnitType(body: Body): boolean;
  /** The fields that the team fills, each from a field of the team. */
  fromTeam: { [field: string]: keyof Team };
  /** The list that holds new entities in the team's default holdout. */
  heldIn?: HeldList;
};

const always = () => true;
const targetApps = "defaultTargetApplications";

/** The operations that create entities with defaults. */
const DEFAULTS: { [Operation in OperationId]?: Defaults } = {
  createAutotune: { takesUnitType: always, fromTeam: { targetApps } },
  createDynamicConfig: { takesUnitType: always, fromTeam: { targetApps } },
  createExperiment: {
    // In a layer, an experiment has the layer's.
    takesUnitType: ({ layerID }) => !layerID,
    fromTeam: {
      targetApps,
      primaryMetrics: "defaultExperimentPrimaryMetrics",
      secondaryMetrics: "defaultExperimentSecondaryMetrics",
    },
    heldIn: "experimentIDs",
  },
  createGate: { takesUnitType: always, fromTeam: { targetApps, monitoringMetrics: "defaultGateMetrics" }, heldIn: "gateIDs" },
  createHoldout: { takesUnitType: always, fromTeam: { targetApps, monitoringMetrics: "defaultHoldoutMetrics" } },
  createLayer: { takesUnitType: () => false, fromTeam: { targetApps } },
  createParamStore: { takesUnitType: () => false, fromTeam: { targetAppIDs: targetApps } },
  createPrompt: { takesUnitType: always, fromTeam: { targetApps } },
  createSegment: { takesUnitType: always, fromTeam: {} },
};

/** The most ids that a holdout lists of one kind. */
const MAX_HELD = 1_000;

type Request = { body: Body } & Env;
type Answer = { body: { data: { id: string } } };
type Handler = (request: Request) => Promise<Answer>;

/** The handlers. Bodies of creations are completed before the handler sees them, and new entities are put into their team's holdout. */
export function withCreationDefaults<All extends object>(handlers: All): All {
  const completed = Object.entries(DEFAULTS).map(([operationID, defaults]) => {
    const handler = (handlers as { [operationID: string]: Handler })[operationID] as Handler;
    return [operationID, (request: Request) => create(handler, request, defaults)];
  });
  return { ...handlers, ...Object.fromEntries(completed) };
}

async function create(handler: Handler, request: Request, defaults: Defaults): Promise<Answer> {
  const { stores, context } = request;
  const { heldIn } = defaults;
  const team = await findTeam(request);
  const holdout = heldIn && team?.defaultHoldoutID ? await stores.holdouts.find(team.defaultHoldoutID) : undefined;
  const body = {
    ...(await findUnitType(request, defaults)),
    ...(team && fromTeam(team, defaults)),
    ...request.body,
    // It is created as held, so that putting it into the holdout makes no second version of it.
    ...(holdout && { holdoutIDs: [holdout.id] }),
  };
  const answer = await handler({ ...request, body });
  if (heldIn && holdout) await hold(answer.body.data.id, heldIn, holdout, stores, context);
  return answer;
}

/** The team that the body names by its id. Whether it exists is checked as of any reference. */
async function findTeam({ body: { teamID }, stores }: Request): Promise<Team | undefined> {
  const team = teamID ? await stores.teams.find(teamID) : undefined;
  return team?.id === teamID ? team : undefined;
}

async function findUnitType({ body, stores }: Request, { takesUnitType }: Defaults): Promise<object> {
  if (body.idType !== undefined || !takesUnitType(body)) return {};
  return { idType: (await stores.settings.forCreation()).defaultUnitType };
}

function fromTeam(team: Team, defaults: Defaults): object {
  return Object.fromEntries(Object.entries(defaults.fromTeam).map(([field, source]) => [field, team[source]]));
}

/** @throws AppError conflict if the holdout is full or has been deleted */
async function hold(id: string, list: HeldList, { id: holdoutID }: Holdout, stores: Stores, context: Context): Promise<void> {
  // Locked after the new entity, as in writes of holdouts.
  const holdout = await stores.holdouts.find(holdoutID, { lock: true });
  if (!holdout) throw conflict(`Holdout ${holdoutID}, the default of the team, was deleted at the same time.`, "teamID");
  if (holdout[list].includes(id)) return;
  if (holdout[list].length >= MAX_HELD) {
    throw conflict(`Holdout ${holdoutID}, the default of the team, lists ${MAX_HELD} ${list} and cannot list another.`, "teamID");
  }
  await stores.holdouts.listCreated(holdout, changeHoldout(holdout, { [list]: [...holdout[list], id] }, context));
}
