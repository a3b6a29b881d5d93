import { createHash, randomBytes } from "node:crypto";
import { encodeClaim } from "@weft/contract/device/v1/claim.ts";
import { cpeEmailSend } from "@weft/contract/domains/devices/cpe-actions.ts";
import {
  claimAdd,
  enrolmentApprove,
  enrolmentList,
  enrolmentReject,
} from "@weft/contract/domains/devices/enrolment.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import {
  addressLimit,
  recipientLimit,
  secondsToNextRequest,
} from "#domains/access/session/public.ts";
import { inTimeZone, timeZoneOf } from "#domains/enterprises/param-config/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { enqueueMessage } from "#outbox/enqueue.ts";
import {
  approvalObstacle,
  claimLifeMs,
  enrolCommand,
  keyHash,
  noEdgeAddresses,
  noMailServer,
  snTaken,
} from "./rules.ts";
import {
  addClaim,
  approve,
  controllerFacts,
  findNode,
  type Identity,
  isSnTaken,
  listEnrolments,
  lockIdentities,
  mailsOf,
  reject,
} from "./store.ts";

const resource = "enrolment";

/** The node as the claim is for it: a device that replaces another has its own serial number. */
async function claimedNode(ctx: HandlerContext, nodeId: number, sn: string | null) {
  const node = await findNode(ctx, nodeId);
  if (!node) refuse("notFound");
  if (sn === null || sn === node.sn) return node;
  if (await isSnTaken(ctx, node, sn)) refuse("notAllowedNow", snTaken(sn));
  return { ...node, sn };
}

async function makeClaim(
  ctx: HandlerContext,
  { nodeId, preApproved, sn: requestedSn }: InputOf<typeof claimAdd>,
) {
  const node = await claimedNode(ctx, nodeId, requestedSn);
  const { key, addresses } = await controllerFacts(ctx);
  // No gateway has started yet.
  if (key === null) refuse("unavailable");
  if (addresses.length === 0) refuse("notAllowedNow", noEdgeAddresses);
  const token = randomBytes(32).toString("base64url");
  const tokenHash = createHash("sha256").update(token).digest();
  const expiresAt = new Date(Date.now() + claimLifeMs);
  const { id, revoked } = await addClaim(ctx, node, { tokenHash, preApproved, expiresAt });
  const { sn, enterprise_id: enterpriseId } = node;
  const reported = { nodeId, sn, preApproved, expiresAt, revoked };
  await ctx.audit({ resource: "claim", rowId: id, old: null, new: reported, enterpriseId });
  const controllerKeyHash = keyHash(key);
  const claim = encodeClaim({ token, addresses, controllerKeyHash });
  return { claim, command: enrolCommand(claim), expireTime: expiresAt };
}

/** The e-mail with which the person at the device can enrol it, in both languages. */
const claimMessage = (sn: string, command: string, until: string): string =>
  [
    `设备 ${sn} 的开局码，${until} 前有效，只能用一次。在设备上运行：`,
    `Activation code of device ${sn}, valid until ${until}, good for one use. Run on the device:`,
    "",
    command,
    "",
  ].join("\n");

async function mailClaim(
  ctx: HandlerContext,
  { id, title, email }: InputOf<typeof cpeEmailSend>,
  sendsMail: boolean,
) {
  // First of all: a claim that does not reach its recipient may be found by others.
  if (!sendsMail) refuse("notAllowedNow", noMailServer);
  const node = await claimedNode(ctx, id, null);
  if (node.kind !== "cpe") refuse("notFound");
  await limitMails(ctx, id);
  const { command, expireTime } = await makeClaim(ctx, { nodeId: id, preApproved: true, sn: null });
  const enterpriseId = node.enterprise_id;
  const until = inTimeZone(expireTime, await timeZoneOf(ctx, enterpriseId));
  const body = claimMessage(node.sn, command, until);
  const message = {
    enterpriseId,
    channel: "mail",
    recipient: email,
    subject: title,
    body,
  } as const;
  await enqueueMessage(ctx, { ...message, validMinutes: claimLifeMs / 60_000 });
  await ctx.audit({ resource: "cpe", rowId: id, old: null, new: { email, title }, enterpriseId });
  return null;
}

/** Subject and recipient are the caller's, so the number of messages is limited. */
async function limitMails(ctx: HandlerContext, nodeId: number): Promise<void> {
  const { ofNode, ofCaller } = await mailsOf(ctx, nodeId, cpeEmailSend.id);
  const seconds = Math.max(
    secondsToNextRequest(ofNode, recipientLimit),
    secondsToNextRequest(ofCaller, addressLimit),
  );
  if (seconds > 0) refuse("tooManyTries", { seconds });
}

/** All of them, or a refusal: a batch is decided as a whole. */
async function identitiesOf(ctx: HandlerContext, ids: readonly number[]): Promise<Identity[]> {
  const identities = await lockIdentities(ctx, ids);
  if (identities.length !== new Set(ids).size) refuse("notFound");
  return identities;
}

async function decided(ctx: HandlerContext, identity: Identity, now: object): Promise<void> {
  const { id: rowId, enterpriseId, nodeId, state } = identity;
  await ctx.audit({
    resource,
    rowId,
    old: { nodeId, state },
    new: { nodeId, ...now },
    enterpriseId,
  });
  // Gateways look after their sockets when they learn of it.
  await ctx.change({ enterpriseId, nodeIds: [nodeId] });
}

/** Claims and the approval queue (design section 6). */
export function enrolmentRoutes(app: FastifyInstance): void {
  mount(app, claimAdd, (input, ctx) => makeClaim(ctx, input));
  mount(app, cpeEmailSend, (input, ctx) => mailClaim(ctx, input, app.weft.site.sendsMail));
  mount(app, enrolmentList, (query, ctx) => listEnrolments(ctx, query));
  mount(app, enrolmentApprove, async ({ ids }, ctx) => {
    for (const identity of await identitiesOf(ctx, ids)) {
      const obstacle = approvalObstacle(identity.state);
      if (obstacle) refuse("notAllowedNow", obstacle);
      if (
        await isSnTaken(
          ctx,
          { id: identity.nodeId, enterprise_id: identity.enterpriseId },
          identity.sn,
        )
      ) {
        refuse("notAllowedNow", snTaken(identity.sn));
      }
      const replaced = identity.state === "approved" ? [] : await approve(ctx, identity);
      await decided(ctx, identity, { state: "approved", sn: identity.sn, replaced });
    }
    return null;
  });
  mount(app, enrolmentReject, async ({ ids }, ctx) => {
    for (const identity of await identitiesOf(ctx, ids)) {
      await reject(ctx, identity);
      await decided(ctx, identity, { state: "rejected" });
    }
    return null;
  });
}
