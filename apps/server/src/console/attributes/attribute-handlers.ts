import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { pageThrough } from "../common/page.ts";
import type { ProjectEnv } from "../stores.ts";
import { describe } from "./attribute.ts";
import { catalog } from "./attribute-catalog.ts";
import { usedAttributes } from "./attribute-uses.ts";

export const attributeHandlers = {
  async listAttributes({ query, context, stores, limited, evaluatedProject }) {
    const all = await limited(async () => {
      const [project, described, seen] = await Promise.all([
        evaluatedProject(),
        stores.attributes.listDescribed(),
        stores.attributes.listSeen(),
      ]);
      return catalog({ seen, described, uses: usedAttributes(project), now: context.now });
    });
    return { status: 200, body: { message: "Attributes listed successfully.", ...pageThrough("/console/v1/attributes", query, all) } };
  },

  async getAttribute({ path, stores }) {
    const data = await stores.attributes.get(path.id);
    return { status: 200, body: { message: "Attribute read successfully.", data } };
  },

  async updateAttribute({ path, body, context, stores }) {
    const attribute = await stores.attributes.get(path.id);
    const data = await stores.attributes.replace(attribute, describe(attribute, body, context));
    return { status: 200, body: { message: "Attribute updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, ProjectEnv>>;
