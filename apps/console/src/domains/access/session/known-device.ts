/**
 * What this browser got when it logged in to an account. It opens nothing; with it others cannot delay the next login.
 */
const key = "weft_devices";
const maxAccounts = 8;

type Kept = Readonly<Record<string, string>>;
type Store = Pick<Storage, "getItem" | "setItem">;

function read(store: Store): Kept {
  try {
    const kept: unknown = JSON.parse(store.getItem(key) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
}

/** null: the account was not logged in to here. */
export function deviceFor(loginName: string, store: Store = localStorage): string | null {
  const kept = read(store);
  const device = Object.hasOwn(kept, loginName) ? kept[loginName] : undefined;
  return typeof device === "string" ? device : null;
}

export function keepDevice(
  loginName: string,
  device: string | undefined,
  store: Store = localStorage,
): void {
  if (device === undefined) return;
  const others = Object.entries(read(store)).filter(([name]) => name !== loginName);
  const kept = Object.fromEntries([...others.slice(1 - maxAccounts), [loginName, device]]);
  try {
    store.setItem(key, JSON.stringify(kept));
  } catch {
    // A browser that stores nothing logs in as an unknown one.
  }
}
