/**
 * Where the session token is stored (specification section 4): local storage if the user wants to
 * be remembered, session storage otherwise; and a cookie in both cases. The cookie never authenticates:
 * with it a second tab finds a session that is not remembered.
 */
export const tokenKey = "access_token";

/** The part of a browser's stores that is used. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface TokenStore {
  read(): string | null;
  /** After a login. */
  keep(token: string, isRemembered: boolean): void;
  /** A token from the server that replaces the previous one: stored in the same place. */
  replace(token: string): void;
  /** Whether it is the token of this session, or one that it replaced. */
  isOfSession(token: string): boolean;
  /** Another tab received `next` instead of `old`: applied if this tab still has `old`. */
  follow(old: string, next: string): void;
  clear(): void;
}

export interface Stores {
  readonly local: Store;
  readonly session: Store;
  readonly cookie: Store;
}

/** @param stores the browser's, or those of a test. */
export const createTokenStore = ({ local, session, cookie }: Stores): TokenStore => {
  const all = [local, session, cookie];
  const replaced = new Set<string>();
  const read = (): string | null =>
    // in this order.
    all.map((store) => store.getItem(tokenKey)).find(Boolean) ?? null;
  const remove = (): void => {
    for (const store of all) store.removeItem(tokenKey);
  };
  const put = (token: string, isRemembered: boolean): void => {
    remove();
    (isRemembered ? local : session).setItem(tokenKey, token);
    cookie.setItem(tokenKey, token);
  };
  return {
    read,
    keep: (token, isRemembered) => {
      replaced.clear();
      put(token, isRemembered);
    },
    replace: (token) => {
      const old = read();
      if (old !== null) replaced.add(old);
      put(token, local.getItem(tokenKey) !== null);
    },
    isOfSession: (token) => token === read() || (read() !== null && replaced.has(token)),
    follow: (old, next) => {
      if (session.getItem(tokenKey) === old) session.setItem(tokenKey, next);
      if (read() === next) replaced.add(old);
    },
    clear: () => {
      replaced.clear();
      remove();
    },
  };
};

/** A store whose values are cookies of this site. @param jar holds `cookie` as a document does. */
export const cookieStore = (jar: { cookie: string }, isSecure: boolean): Store => {
  const write = (key: string, value: string, more = ""): void => {
    const secure = isSecure ? "; secure" : "";
    jar.cookie = `${key}=${encodeURIComponent(value)}; path=/; samesite=strict${secure}${more}`;
  };
  return {
    getItem: (key) => {
      const cookie = jar.cookie.split("; ").find((pair) => pair.startsWith(`${key}=`));
      return cookie ? decodeURIComponent(cookie.slice(key.length + 1)) : null;
    },
    setItem: (key, value) => write(key, value),
    removeItem: (key) => write(key, "", "; max-age=0"),
  };
};

/** A store that exists as long as the page: for browsers that forbid storage. */
const memoryStore = (): Store => {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
};

const orMemory = (store: () => Store): Store => {
  try {
    const storage = store();
    storage.getItem(tokenKey);
    return storage;
  } catch {
    return memoryStore();
  }
};

export const browserStores = (): Stores => ({
  local: orMemory(() => localStorage),
  session: orMemory(() => sessionStorage),
  cookie: orMemory(() => cookieStore(document, location.protocol === "https:")),
});
