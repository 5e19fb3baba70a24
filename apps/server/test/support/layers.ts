import type { TestServer } from "./server.ts";

type Layer = Awaited<ReturnType<TestServer["client"]["getLayer"]>>["data"];

/** A layer with parameters. */
export async function makeLayer(
  { client }: TestServer,
  name: string,
  parameters: Layer["parameters"] = [],
  idType = "userID",
): Promise<Layer> {
  return (await client.createLayer({ body: { name, idType, parameters } })).data;
}
