/** Rules of what messages are sent to by HTTP. */
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";
import { isUrl } from "#rules/text.ts";

/** An http or https URL without credentials. Where it may lead, the worker decides (docs/webhooks.md). */
export const hookUrl = codec.text(1024).refine(isUrl, failsWith("url"));

export const requiredHookUrl = codec.text(1024, 1).refine(isUrl, failsWith("url"));

/** Secret for the signature of messages. Empty in an edit: the one that is there stays; it goes with its address. */
export const signingSecret = codec.text(128).default("");
