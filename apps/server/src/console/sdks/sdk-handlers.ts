import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { pageThrough } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { toReportingSDKs } from "./sdk.ts";

export const sdkHandlers = {
  async listSDKs({ query = {}, context, stores }) {
    const { sdk, keyID, environment } = query;
    const all = toReportingSDKs(await stores.sdks.list(context.now));
    const asked = all.filter(
      (one) =>
        (sdk === undefined || one.sdk === sdk) &&
        (keyID === undefined || one.keyID === keyID) &&
        (environment === undefined || one.environments.length === 0 || one.environments.includes(environment)),
    );
    return { status: 200, body: { message: "SDKs listed successfully.", ...pageThrough("/console/v1/sdks", query, asked) } };
  },
} satisfies Partial<Handlers<operations, Env>>;
