/** An OpenAPI document as generated from the contract. */
export type Document = {
  openapi: string;
  info: unknown;
  servers?: { url: string }[];
  paths: Record<string, object>;
  components?: Components;
};

/** By kind and name: `schemas`, `responses`, … */
type Components = Record<string, Record<string, unknown>>;
