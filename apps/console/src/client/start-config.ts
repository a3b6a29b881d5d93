/**
 * ./config.json beside the page (specification section 7.1): read before the first call. An operator
 * of other servers writes it by hand, so nothing in it is trusted to have its type.
 */
export interface StartConfig {
  /** Before every path of a call; no slash at its end; empty: the same origin. */
  readonly baseUrl: string;
  /** Path of the menu load. */
  readonly menuUrl: `/${string}`;
  /** Screen that the root leads to; null: the first of the menu. */
  readonly homePath: string | null;
  /** Name in place of the default one; null: none. */
  readonly title: string | null;
  /** Service elsewhere that takes protocol files (specification section 7.3); null: none. */
  readonly protocolImportUrl: string | null;
}

/** What holds when the file cannot be read or says nothing. */
export const defaultConfig: StartConfig = {
  baseUrl: "",
  menuUrl: "/customer/session",
  homePath: null,
  title: null,
  protocolImportUrl: null,
};

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;

const isPath = (text: string): text is `/${string}` => /^\/(?![/\\])/.test(text);

const pathOf = (value: unknown): `/${string}` | null => {
  const text = textOf(value);
  return text !== null && isPath(text) ? text : null;
};

const addressOf = (value: unknown): string | null => {
  const text = textOf(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
};

/** Reads what a config.json says; a wrong value counts as absent. */
export const readConfig = (json: unknown): StartConfig => {
  const values = (typeof json === "object" && json !== null ? json : {}) as Record<string, unknown>;
  const baseUrl = textOf(values.BASE_URL)?.replace(/\/+$/, "") ?? defaultConfig.baseUrl;
  return {
    // An address or a path: anything else would send calls to an unintended place.
    baseUrl: /^(?:https?:\/\/|\/(?!\/)|$)/i.test(baseUrl) ? baseUrl : defaultConfig.baseUrl,
    menuUrl: pathOf(values.MENU_URL) ?? defaultConfig.menuUrl,
    homePath: pathOf(values.HOME_PATH),
    title: textOf(values.TITLE),
    protocolImportUrl: addressOf(values.PROTOCOL_IMPORT_URL),
  };
};

let current = defaultConfig;
export const startConfig = (): StartConfig => current;

/** Fetches the file; whatever fails leaves the default settings. */
export const loadConfig = async (): Promise<StartConfig> => {
  try {
    const response = await fetch("/config.json", { cache: "no-store" });
    current = response.ok ? readConfig(await response.json()) : defaultConfig;
  } catch {
    current = defaultConfig;
  }
  return current;
};
