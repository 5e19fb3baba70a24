import type { User } from "../../src/index.ts";

const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const OLD_CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.93 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0";

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** A user who differs from the others in as many ways as users do, with the same values every time. Undefined fields are left out. */
function buildUser(index: number): User {
  const user = {
    userID: index % 50 === 49 ? undefined : `user_${index}`,
    customIDs: {
      companyID: index % 9 === 8 ? undefined : `company_${index % 41}`,
      stableID: index % 3 === 2 ? undefined : `device_${index % 257}`,
      other: "always",
    },
    email: pick([`user_${index}@example.com`, `USER_${index}@STAFF.example`, `user_${index}@staff.example.org`, undefined], index),
    country: pick([undefined, "DE", "FR", "US", undefined], index),
    ip: pick(["8.8.8.8", "127.0.0.1", undefined], index),
    userAgent: pick([CHROME, OLD_CHROME, FIREFOX, undefined, "something else", CHROME, FIREFOX], index),
    locale: pick(["de_DE", "fr_CH", "en_US", undefined], index),
    appVersion: pick([`1.${index % 13}.${index % 2}`, `1.${index % 13}-beta`, undefined], index),
    custom: {
      plan: pick(["free", "pro", "Enterprise", undefined], index),
      age: pick([17, 18, "35", 64.5, undefined], index),
      tags: pick([["beta"], ["vip", "beta", "new"], [], ["new"], undefined], index),
      signup: pick([1_600_000_000_000, "2021-05-31T23:59:59Z", "1700000000000", 1_640_000_000, undefined], index),
    },
    privateAttributes: index % 4 === 0 ? { salary: 10_000 * (index % 11) } : undefined,
  };
  return JSON.parse(JSON.stringify(user)) as User;
}

export const USERS: User[] = Array.from({ length: 500 }, (_, index) => buildUser(index));
