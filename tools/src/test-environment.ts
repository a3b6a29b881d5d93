/**
 * What a run of tests has of its caller's environment: settings of Weft, a locale, options of Node, a hook's GIT_DIR
 * or a service's INVOCATION_ID would decide what tests do.
 */

/** How a machine reaches the network. */
export const ofNetwork =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy|npm_config_(registry|cafile|userconfig|cache))$/i;

const ofCaller = /^(CI|HOME|LOGNAME|PATH|SHELL|TERM|TMPDIR|USER)$/;

/** Removes everything else from an environment. */
export function defineEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (!ofNetwork.test(name) && !ofCaller.test(name)) delete env[name];
  }
  env.LANG = "C.UTF-8";
}
