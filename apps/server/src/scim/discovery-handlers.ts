import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/scim";
import { describeFeatures, describeResourceTypes, describeSchemas } from "./discovery.ts";
import type { ScimEnv } from "./scim-env.ts";
import { missing } from "./scim-error.ts";
import { toList } from "./scim-resources.ts";

export const discoveryHandlers = {
  async getScimServiceProviderConfig({ baseUrl }) {
    return { status: 200, body: describeFeatures(baseUrl) };
  },

  async listScimResourceTypes({ baseUrl }) {
    const types = describeResourceTypes(baseUrl);
    return { status: 200, body: toList(types, types.length, 1) };
  },

  async getScimResourceType({ path, baseUrl }) {
    const type = describeResourceTypes(baseUrl).find(({ name }) => name === path.name);
    if (!type) throw missing("Resource type", path.name);
    return { status: 200, body: type };
  },

  async listScimSchemas({ baseUrl }) {
    const schemas = describeSchemas(baseUrl);
    return { status: 200, body: toList(schemas, schemas.length, 1) };
  },

  async getScimSchema({ path, baseUrl }) {
    const schema = describeSchemas(baseUrl).find(({ id }) => id === path.urn);
    if (!schema) throw missing("Schema", path.urn);
    return { status: 200, body: schema };
  },
} satisfies Partial<Handlers<operations, ScimEnv>>;
