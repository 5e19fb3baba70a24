import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { SchemaEnv } from "../../stores.ts";

export const previewHandlers = {
  async evaluateUsers({ body, context, previews }) {
    const data = await previews.evaluate(context.projectID, body);
    return { status: 200, body: { message: "Users evaluated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;
