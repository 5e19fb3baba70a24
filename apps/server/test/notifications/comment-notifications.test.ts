import { afterAll, beforeAll, expect, test } from "vitest";
import { notifying } from "../support/notifying.ts";
import { type Colleague, reviewing } from "../support/reviewing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let people: { author: Colleague; reader: Colleague; other: Colleague };
const { colleague } = reviewing(() => server);
const { read, notify, texts, clear } = notifying(() => server);
beforeAll(async () => {
  server = await startServer();
  people = { author: await colleague(), reader: await colleague("Viewer"), other: await colleague() };
});
afterAll(() => server.close());

let count = 0;

/** A comment on a new gate. */
async function write(text: string, mentions: string[], { client } = people.author) {
  const { id, name } = (await server.client.createGate({ body: { name: `discussed ${++count}` } })).data;
  const { data } = await client.createComment({ body: { entityType: "gate", entityID: id, text, mentions } });
  return { path: { id: data.id }, data, id, subject: `the gate ${name}` };
}

const nameOf = async ({ client }: Colleague) => {
  const { firstName, lastName } = (await client.getSession()).data.person;
  return `${firstName} ${lastName}`;
};

test("a comment notifies everyone it mentions except its author, with a link to the comment", async () => {
  const { author, reader, other } = people;
  const text = `@${await nameOf(reader)} and @${author.email.toUpperCase()}, is it translated?`;
  const { data, id, subject } = await write(text, [reader.id, author.id]);
  expect(data.mentions).toEqual([
    { id: reader.id, name: await nameOf(reader), email: reader.email },
    { id: author.id, name: await nameOf(author), email: author.email },
  ]);
  await notify();
  const [notification, ...more] = await read(reader, { unread: true });
  expect(notification).toMatchObject({
    ...{ kind: "MENTION", event: "MENTIONED", title: "You were mentioned", actorName: await nameOf(author) },
    ...{ text: `${await nameOf(author)} mentioned you in a comment on ${subject}: “${text}”`, entityType: "gate", entityID: id },
    link: `/projects/default/gates/${id}?tab=comments&comment=${data.id}`,
  });
  expect([more, await read(author), await read(other)]).toEqual([[], [], []]);
});

test("only people with access to the project can be mentioned, by their names or addresses", async () => {
  const stranger = await colleague();
  await server.client.removeProjectMember({ path: { id: "default", email: stranger.email } });
  const { reader, other } = people;
  expect(await refusal(write(`@${stranger.email} @${reader.email}`, [stranger.id, reader.id, other.id]))).toMatchObject({
    ...{ status: 400, code: "invalid_request" },
    errors: [
      { property: "mentions[0]", errorMessage: "is not the id of an active member of the project" },
      { property: "mentions[2]", errorMessage: `must be in the text as @${await nameOf(other)}` },
    ],
  });
});

test("an edit notifies only people who were never mentioned in the comment before", async () => {
  const { author, reader, other } = people;
  const { path } = await write(`@${reader.email}?`, [reader.id]);
  const edit = async (text: string, mentions?: string[]) =>
    (await author.client.patchComment({ path, body: { text, ...(mentions && { mentions }) } })).data.mentions?.map(({ id }) => id);
  for (const person of [reader, other]) await clear(person);
  expect(await edit(`@${reader.email}, please.`)).toEqual([reader.id]);
  expect(await edit(`@${reader.email} or @${other.email}?`, [reader.id, other.id])).toEqual([reader.id, other.id]);
  expect([await texts(reader), (await texts(other)).length]).toEqual([[], 1]);
  expect(await edit("Never mind.")).toBeUndefined();
  expect(await edit(`@${reader.email} or @${other.email}?`, [other.id, reader.id])).toEqual([other.id, reader.id]);
  expect([await texts(reader), (await texts(other)).length]).toEqual([[], 1]);
});

test("someone who was renamed or left is still mentioned after an edit", async () => {
  const { author } = people;
  const leaving = await colleague();
  const name = await nameOf(leaving);
  const { path, data } = await write(`@${name}, why?`, [leaving.id]);
  await leaving.client.updateSession({ body: { firstName: "Renamed" } });
  const edit = async (text: string) => (await author.client.patchComment({ path, body: { text, mentions: [leaving.id] } })).data.mentions;
  expect(await edit(`@${name}, really, why?`)).toEqual(data.mentions);
  expect((await edit(`@${await nameOf(leaving)}, really, why?`))?.[0]).toMatchObject({ id: leaving.id, name: await nameOf(leaving) });
  await server.client.removeProjectMember({ path: { id: "default", email: leaving.email } });
  expect((await edit(`@Renamed ${name.split(" ")[1]}?`))?.[0]).toMatchObject({ id: leaving.id });
});
