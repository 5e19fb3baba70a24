// Entities of the sample project without data of their own. They change nothing that customers saw.
import type { PermittedContext } from "../../common/context.ts";
import { newHoldout } from "../../console/holdouts/holdout.ts";
import { newParamStore } from "../../console/param-stores/param-store.ts";
import { addVersion, newPrompt } from "../../console/prompts/prompt.ts";
import type { Stores } from "../../console/stores.ts";
import { DELIVERY_OPTIONS, EXPRESS_DELIVERY, STICKY_BUTTON } from "./shop-plan.ts";

/** Its experiment is a draft, so the holdout changes no results. */
export async function createHoldout({ holdouts }: Stores, context: PermittedContext): Promise<void> {
  const body = {
    name: "Product page holdout",
    description: "5% of customers see no experiment on product pages until the end of the quarter.",
    passPercentage: 5,
    experimentIDs: [STICKY_BUTTON.id],
    tags: ["discovery"],
  };
  await holdouts.create(newHoldout(body, context));
}

export async function createParamStore({ paramStores }: Stores, context: PermittedContext): Promise<void> {
  const store = newParamStore(
    {
      name: "checkout_page",
      displayName: "Checkout page",
      description: "Everything that the checkout page reads.",
      tags: ["checkout"],
      parameters: [
        { name: "show_coupons", ref_type: "static", param_type: "boolean", value: true },
        {
          ...{ name: "delivery_label", ref_type: "gate", param_type: "string", gate_name: EXPRESS_DELIVERY.id },
          ...{ pass_value: "Delivered tomorrow", fail_value: "Delivered in a few days" },
        },
        { name: "free_from", ref_type: "dynamic_config", param_type: "number", config_name: DELIVERY_OPTIONS, param_name: "free_from" },
      ],
    },
    context,
  );
  await paramStores.create(store);
}

export async function createPrompt({ prompts }: Stores, context: PermittedContext): Promise<void> {
  const prompt = await prompts.create(
    newPrompt({ name: "Product questions", description: "Answers customers’ questions on a product page.", tags: ["discovery"] }, context),
  );
  const message = (text: string) => [
    { role: "system" as const, content: text },
    { role: "user" as const, content: "{{question}}" },
  ];
  const facts = "Product: {{product}}. Delivery: {{delivery}}.";
  const { prompt: first } = addVersion(
    prompt,
    { name: "First answers", isLive: true, prompts: message(`You help customers of Harbor Lane, a shop for the home. ${facts}`) },
    context,
  );
  await prompts.replace(prompt, first);
  const { prompt: second } = addVersion(
    first,
    {
      name: "Shorter answers",
      description: "At most two sentences.",
      prompts: message(`You help customers of Harbor Lane, a shop for the home. Answer in at most two sentences. ${facts}`),
    },
    context,
  );
  await prompts.replace(first, second);
}
