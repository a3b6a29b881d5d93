/**
 * What of its caller's environment a run of tests does not have, as it would decide what tests do: settings of Weft, a
 * locale, a time zone, options of Node and of the runner, the repository of a hook (githooks(5)), a service's identity
 * (systemd.exec(5)). The rest is the machine's: how it reaches the network, where its programs and their caches are.
 */

/** How a machine reaches the network. */
export const ofNetwork =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy|npm_config_(registry|cafile|userconfig|cache))$/i;

const decisive = [
  /^WEFT_/,
  /^(LANGUAGE|LC_.*|TZ)$/,
  /^(NODE_ENV|NODE_OPTIONS|NODE_V8_COVERAGE|DEBUG|VITEST.*)$/,
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|PREFIX)$/,
  /^(INVOCATION_ID|NOTIFY_SOCKET|LISTEN_(FDS|FDNAMES|PID))$/,
  /^PG[A-Z]+$/,
];

/** Removes what decides. The locale of all runs is the same. */
export function defineEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (decisive.some((pattern) => pattern.test(name))) delete env[name];
  }
  env.LANG = "C.UTF-8";
}
