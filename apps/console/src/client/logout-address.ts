/** Where the session at an identity provider ends, of a login by one; it goes with the tab. */
import { browserStores } from "./token.ts";

const key = "logout";

export const keepLogoutAddress = (address: string): void => {
  const { session } = browserStores();
  if (address === "") session.removeItem(key);
  else session.setItem(key, address);
};

/** Gives the address, once; null: the login was no such one. */
export const takeLogoutAddress = (): string | null => {
  const { session } = browserStores();
  const address = session.getItem(key);
  session.removeItem(key);
  return address;
};
