/** The part of the package that is used here. Its published types lack the option `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding"?: string | undefined } });
    /** The available encoding that the request prefers; with equal weights, the first of `preferred`. */
    encoding<E extends string>(available: E[], options: { preferred: E[] }): E | undefined;
  }
}
