import { createHash } from "node:crypto";
import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import type { ErrorParams } from "#kernel/refuse.ts";

/** Ms that a claim may be used. */
export const claimLifeMs = 86_400_000;

/** Why a device cannot be approved now; null when it can. */
export function approvalObstacle(state: EnrolmentState): ErrorParams | null {
  if (state !== "rejected") return null;
  return {
    reason: [
      "该设备已被拒绝，请重新生成开局码",
      "this device was rejected; generate a new activation code",
    ],
  };
}

/** The serial number is another node's of the same enterprise. */
export const snTaken = (sn: string): ErrorParams => ({
  reason: [`序列号 ${sn} 已属于另一个节点`, `the serial number ${sn} belongs to another node`],
});

/** A device could not find its controller by the claim. */
export const noEdgeAddresses: ErrorParams = {
  reason: [
    "未配置设备连接控制器的地址（WEFT_EDGE_ADDRESSES），未生成开局码，原有开局码仍有效",
    "the addresses at which devices reach the controller are not configured (WEFT_EDGE_ADDRESSES); no activation code was generated, and an earlier one stays valid",
  ],
};

/** A claim cannot be sent to anybody. */
export const noMailServer: ErrorParams = {
  reason: [
    "未配置邮件服务器（WEFT_SMTP_URL），开局码未发送，原有开局码仍有效",
    "no mail server is configured (WEFT_SMTP_URL); nothing was sent, and an earlier activation code stays valid",
  ],
};

/** SHA-256 (hex) of a raw Ed25519 public key (base64url). */
export const keyHash = (publicKey: string): string =>
  createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex");

/** What people compare with the device: the first 16 hex digits of its key's hash. */
export const fingerprintOf = (publicKey: string): string => keyHash(publicKey).slice(0, 16);

/** The command for the device. A claim holds no character that a shell would read. */
export const enrolCommand = (claim: string): string => `weft-edge enrol --claim ${claim}`;
