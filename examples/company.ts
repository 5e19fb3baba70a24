// Sets up a company as an administrator: two projects, three people with different roles, a team, and keys:
//   GATEHOUSE_ADMIN_EMAIL=… GATEHOUSE_ADMIN_PASSWORD=… npx --yes pnpm@12 --filter examples company [SUFFIX]
import { ConsoleApiError, createConsoleClient } from "@gatehouse/client";

const baseUrl = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const email = process.env.GATEHOUSE_ADMIN_EMAIL ?? "";
const password = process.env.GATEHOUSE_ADMIN_PASSWORD ?? "";

/** Ends the names, so that the program can be run again on the same server. */
const run = process.argv[2] ?? Date.now().toString(36);
const say = (text: string) => process.stdout.write(`${text}\n`);
const anyone = createConsoleClient({ baseUrl });
const as = (session: string | undefined, projectID?: string) =>
  createConsoleClient({ baseUrl, ...(session !== undefined && { session }), ...(projectID !== undefined && { projectID }) });

say("1. The administrator signs in");
const { session, data: account } = await anyone.createSession({ body: { email, password } });
const administrator = as(session);
say(`   ${account.person.email}`);

say("2. Two projects, each with its first key");
const { data: shop } = await administrator.createProject({ body: { name: `Web shop ${run}` } });
const { data: app } = await administrator.createProject({ body: { name: `Mobile app ${run}` } });
for (const { name, firstKey } of [shop, app]) say(`   ${name}: a key that begins with ${firstKey.key?.slice(0, "console-".length)}`);

say("3. A team, and three people with different roles");
const inShop = as(session, shop.id);
const { data: team } = await inShop.createTeam({ body: { name: "Checkout", changeTeamConfigs: "team_only" } });
const invite = async (role: string, name: string, teams: string[] = []) =>
  (await inShop.inviteUsers({ body: { role, emails: [`${name}.${run}@example.com`], teams } })).data;
const [lead] = await invite("Admin", "lea");
const [developer] = await invite("Member", "dan", [team.id]);
const [analyst] = await invite("Viewer", "ann");
const { data: users } = await inShop.listUsers();
const byEmail = users.toSorted((a, b) => (a.email < b.email ? -1 : 1));
for (const user of byEmail) say(`   ${user.email}: ${user.role}`);
const { data: filled } = await inShop.getTeam({ path: { id: "Checkout" } });
say(`   team ${filled.name}: ${filled.members.map((member) => member.email)}`);

say("4. They redeem their invitations");
const redeem = async (invited: typeof lead, name: string) => {
  const given = { email: invited?.email ?? "", token: invited?.token ?? "", name, password: `a long phrase of ${name}` };
  return (await anyone.redeemToken({ body: given })).session;
};
const lea = as(await redeem(lead, "Lea Ott"), shop.id);
const sessionOfDan = await redeem(developer, "Dan Roe");
const dan = as(sessionOfDan, shop.id);
const ann = as(await redeem(analyst, "Ann Poe"), shop.id);
const { data: left } = await inShop.listInvitations();
say(`   ${left.length} invitations are left`);

say("5. Each does what their role permits");
const { data: key } = await lea.createKey({ body: { type: "SERVER", description: "Backend of the shop." } });
say(`   Lea makes a key that begins with ${key.key?.slice(0, "secret-".length)}`);
const { data: gate } = await dan.createGate({ body: { name: "New checkout", team: "Checkout" } });
say(`   Dan creates ${gate.id}, which says so: ${gate.creatorName}`);
const refused = async (call: Promise<unknown>) => call.then(String, (error) => (error as ConsoleApiError).status);
say(
  `   Ann reads ${(await ann.getGate({ path: { id: gate.id } })).data.id}, and may not change it: ${await refused(ann.deleteGate({ path: { id: gate.id } }))}`,
);

say("6. The other project is another world");
say(`   Dan there: ${await refused(as(sessionOfDan, app.id).listGates())}`);
await administrator.updateProjectMember({ path: { id: app.id, email: developer?.email ?? "" }, body: { role: "Viewer" } });
const { data: projects } = await dan.listProjects();
say(
  `   Dan's projects now: ${projects
    .map(({ name }) => name)
    .sort()
    .join(", ")}`,
);
const mistake = await dan.updateUser({ path: { email: developer?.email ?? "" }, body: { role: "Admin" } }).catch((error: unknown) => error);
if (mistake instanceof ConsoleApiError) say(`   Dan cannot make himself an Admin: ${mistake.status}`);
