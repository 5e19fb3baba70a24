import type { OperationId } from "@gatehouse/contract/console";
import type { Env } from "../stores.ts";

type Body = { idType?: string; layerID?: string | null };

/** What an operation puts into a body that leaves it out. */
type Defaults = {
  /** Whether a new entity with this body has the unit ID type of the project's settings. */
  takesUnitType(body: Body): boolean;
};

const always = () => true;

/** The operations that create entities with defaults. */
const DEFAULTS: { [Operation in OperationId]?: Defaults } = {
  createDynamicConfig: { takesUnitType: always },
  // In a layer, an experiment has the layer's.
  createExperiment: { takesUnitType: ({ layerID }) => !layerID },
  createGate: { takesUnitType: always },
  createHoldout: { takesUnitType: always },
  createPrompt: { takesUnitType: always },
  createSegment: { takesUnitType: always },
};

type Request = { body: Body } & Env;
type Handler = (request: Request) => Promise<unknown>;

/** The handlers, with bodies of creations completed before the handler sees them. */
export function withCreationDefaults<All extends object>(handlers: All): All {
  const completed = Object.entries(DEFAULTS).map(([operationID, defaults]) => {
    const handler = (handlers as { [operationID: string]: Handler })[operationID] as Handler;
    return [operationID, async (request: Request) => handler({ ...request, body: await complete(request, defaults) })];
  });
  return { ...handlers, ...Object.fromEntries(completed) };
}

async function complete({ body, stores }: Request, { takesUnitType }: Defaults): Promise<Body> {
  if (body.idType !== undefined || !takesUnitType(body)) return body;
  return { idType: (await stores.settings.forCreation()).defaultUnitType, ...body };
}
