/** The name and version of an SDK. The version is empty if it is not known. */
export type SdkName = { sdk: string; version: string };

/** The parts of a request that can name its SDK. */
export type NamingRequest = {
  headers: { readonly [name: string]: string | string[] | undefined };
  query?: URLSearchParams | undefined;
  /** The request's `statsigMetadata`. */
  metadata?: unknown;
  isOfrep: boolean;
};

/** Replaces names that are too long or have unusual characters, so that callers can't store any text. */
export const OTHER = "other";
const NAME = /^[\w@./ -]{1,60}$/;
const VERSION = /^[\w.+-]{1,40}$/;
/** The first product of a user agent: `python-requests/2.31.0` */
const PRODUCT = /^([\w.-]{1,40})(?:\/([\w.+-]{1,40}))?/;
/** Browsers begin their user agents with this product, whose version means nothing. */
const BROWSER = "Mozilla";

/** The SDK of a request, or the product that sent it. */
export function readSdkName({ headers, query, metadata, isOfrep }: NamingRequest): SdkName {
  const { sdkType, sdkVersion } = (metadata ?? {}) as { sdkType?: unknown; sdkVersion?: unknown };
  const sdk = headers["statsig-sdk-type"] ?? query?.get("st") ?? sdkType;
  if (typeof sdk !== "string" || sdk === "") return readProduct(headers["user-agent"], isOfrep);
  if (!NAME.test(sdk)) return { sdk: OTHER, version: "" };
  const version = headers["statsig-sdk-version"] ?? query?.get("sv") ?? sdkVersion;
  return { sdk, version: typeof version === "string" && VERSION.test(version) ? version : "" };
}

function readProduct(userAgent: string | string[] | undefined, isOfrep: boolean): SdkName {
  const [, product = OTHER, version = ""] = PRODUCT.exec(String(userAgent ?? "")) ?? [];
  const prefix = isOfrep ? "ofrep/" : "";
  return product === BROWSER ? { sdk: `${prefix}browser`, version: "" } : { sdk: prefix + product, version };
}
