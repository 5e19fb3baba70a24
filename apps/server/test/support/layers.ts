import type { TestServer } from "./server.ts";

type Layer = Awaited<ReturnType<TestServer["client"]["getLayer"]>>["data"];

/** A layer with parameters. */
export async function makeLayer(server: TestServer, name: string, parameters: Layer["parameters"] = [], idType = "userID"): Promise<Layer> {
  const { data } = await server.client.createLayer({ body: { name, idType } });
  if (parameters.length === 0) return data;
  const layer = { ...data, parameters };
  await server.database.prisma.layer.updateMany({ where: { id: data.id }, data: { entity: JSON.stringify(layer) } });
  return layer;
}
