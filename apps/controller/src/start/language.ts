/** Language of what a start prints; the log is English. */
export type Language = "en" | "zh";

/** As POSIX orders the variables of the locale: the first that is set and not empty. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^zh(_|\.|-|$)/i.test(locale) ? "zh" : "en";
}
