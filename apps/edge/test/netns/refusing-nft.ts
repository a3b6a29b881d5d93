import type { Run } from "#drivers/exec.ts";

/**
 * Lets the nft of a machine refuse to load or check what has one of these texts in it; everything else is left to the real
 * one. The mount is the machine's alone.
 * @returns ends it
 */
export const refuseInNft = async (
  run: Run,
  texts: readonly string[],
): Promise<() => Promise<void>> => {
  const nft = (await run(["sh", "-c", "command -v nft"])).trim();
  await run(["cp", nft, "/run/nft"]);
  const wrapper = `#!/bin/sh
input=$(cat)
for text in ${texts.map((text) => `'${text}'`).join(" ")}; do
  case "$*:$input" in *-f*"$text"*) echo "/dev/stdin:1:1-2: Error: no $text here" >&2; exit 1 ;; esac
done
printf '%s\\n' "$input" | exec /run/nft "$@"
`;
  await run(["sh", "-c", "cat > /run/wrapper && chmod 755 /run/wrapper"], { input: wrapper });
  await run(["mount", "--bind", "/run/wrapper", nft]);
  return async () => {
    await run(["umount", nft]);
  };
};
