import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { notFound } from "../common/errors.ts";
import { paginate, pickFilters, toWindow } from "../console/common/page.ts";
import { createStores, type Stores, visibleTypes } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import { type Db, reading, repeating } from "../store/database/unit-of-work.ts";
import { credentialsOfPerson } from "./account.ts";
import type { SignedInEnv } from "./account-env.ts";

type Inbox = { personID: string; types: string[] };

/** The caller's inbox in a project. @throws AppError not_found without access to it */
function openInbox(projectID: string, operationID: string, { session, now }: SignedInEnv) {
  if (!session.projects.some(({ id }) => id === projectID)) throw notFound("Project", projectID);
  const credentials = credentialsOfPerson(session, projectID);
  const context = { ...credentials, operationID, now };
  const inbox: Inbox = { personID: session.person.id, types: [...visibleTypes(credentials)] };
  const storeIn = (db: Db): Stores["notifications"] => createStores({ db, context, log: createChangeLog(db, context) }).notifications;
  return { inbox, storeIn };
}

/** The operations on one's own notifications. */
export const notificationHandlers = {
  async listNotifications({ path: { id }, query, ...env }) {
    const { inbox, storeIn } = openInbox(id, "listNotifications", env);
    const { data: listed, total } = await reading(env.database, (db) => storeIn(db).list(inbox, pickFilters(query), toWindow(query)));
    const data = listed.map((one) => ({ ...one, link: env.basePath + one.link }));
    const pagination = paginate(`/console/v1/projects/${encodeURIComponent(id)}/notifications`, query, total);
    return { status: 200, body: { message: "Notifications listed successfully.", data, pagination } };
  },

  async markNotifications({ path: { id }, body, ...env }) {
    const { inbox, storeIn } = openInbox(id, "markNotifications", env);
    const marked = await repeating(env.database, (db) => storeIn(db).mark(inbox, body));
    const { total: unread } = await reading(env.database, (db) => storeIn(db).list(inbox, { unread: true }, { skip: 0, take: 0 }));
    return { status: 200, body: { message: "Notifications marked successfully.", data: { marked, unread } } };
  },

  async getNotificationSettings({ path: { id }, ...env }) {
    const { inbox, storeIn } = openInbox(id, "getNotificationSettings", env);
    const data = await reading(env.database, (db) => storeIn(db).findSettings(inbox.personID));
    return { status: 200, body: { message: "Notification settings read successfully.", data } };
  },

  async updateNotificationSettings({ path: { id }, body, ...env }) {
    const { inbox, storeIn } = openInbox(id, "updateNotificationSettings", env);
    const data = await repeating(env.database, async (db) => {
      const store = storeIn(db);
      await store.setSettings(inbox.personID, body);
      return store.findSettings(inbox.personID);
    });
    return { status: 200, body: { message: "Notification settings updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, SignedInEnv>>;
