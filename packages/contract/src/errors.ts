import { defineMessages } from "#kernel/message.ts";

/**
 * Expected failures: code on the wire -> texts. 500 with msg `token无效` is the one pair that ends a
 * session (section 8); every other code is an ordinary failure shown as its msg.
 */
export const errorTexts = defineMessages({
  tokenInvalid: ["token无效", "token无效"],
  badInput: ["输入有误：{fields}", "Invalid input: {fields}"],
  badCredentials: ["登录名或密码不正确", "Login name or password is wrong"],
  tooManyTries: ["尝试次数过多，{seconds} 秒后重试", "Too many attempts; retry in {seconds} s"],
  forbidden: [
    "缺少权限：{permission}，可向管理员申请",
    "Permission denied: {permission}; ask your administrator",
  ],
  notFound: ["不存在或无权访问", "Not found, or you do not have access"],
  inUse: ["仍被使用：{by}，先删除或解除引用", "Still in use by {by}; remove that first"],
  staysInEnterprise: [
    "{name} 的 {what} 属于原企业，先删除或移出再迁移",
    "{name} cannot move: {what} belong to its current enterprise; remove them first",
  ],
  staysInBranch: [
    "{name} 不能迁移：它与迁出企业之间仍有 {what} 相互引用，先删除或解除引用",
    "{name} cannot move: {what} name objects across it and the enterprises that it leaves; remove them first",
  ],
  conflict: ["数据已被他人修改，刷新后重试", "Changed by someone else; refresh and retry"],
  staleRow: ["{who} 已修改：{what}", "Changed in the meantime by {who}: {what}"],
  notAllowedNow: ["当前状态不允许：{reason}", "Not possible in this state: {reason}"],
  noRoom: ["{name}：最多 {max} {what}", "{name}: at most {max} {what}"],
  crossSite: ["拒绝来自其他站点的请求", "Refused: the request comes from another site"],
  tooLarge: ["请求过大", "The request is too large"],
  unavailable: ["服务暂不可用，稍后重试", "Temporarily unavailable; retry shortly"],
  internal: ["系统错误，请求编号 {requestId}", "Internal error, request id {requestId}"],
  oldPassword: ["原密码不正确", "The old password is wrong"],
  codeNeeded: ["输入验证码以完成登录", "Enter the code to finish the login"],
  passkeyNeeded: ["输入验证码或用通行密钥完成登录", "Finish the login with a code or your passkey"],
  factorDemanded: ["先设置两步验证", "Set up MFA first"],
  badPasskey: ["通行密钥无效", "The passkey is not valid"],
  badCode: ["验证码不正确或已过期", "The code is wrong or no longer valid"],
  ssoRefused: ["单点登录未成功：{reason}", "Single sign-on failed: {reason}"],
  wrongPassword: ["登录密码不正确", "The login password is wrong"],
});
export type ErrorCode = keyof typeof errorTexts;

/** Number in `code` of the envelope for each expected failure. */
export const errorNumbers: Readonly<Record<ErrorCode, number>> = {
  tokenInvalid: 500,
  badInput: 400,
  badCredentials: 401,
  tooManyTries: 429,
  forbidden: 403,
  notFound: 404,
  inUse: 409,
  staysInEnterprise: 409,
  staysInBranch: 409,
  conflict: 412,
  // The same failure, where it is known who wrote what (kernel/row-version.ts).
  staleRow: 412,
  notAllowedNow: 422,
  // The same failure, where it is a limit that the database counts.
  noRoom: 422,
  crossSite: 421,
  tooLarge: 413,
  unavailable: 503,
  internal: 501,
  oldPassword: 402,
  codeNeeded: 461,
  badCode: 462,
  passkeyNeeded: 463,
  factorDemanded: 464,
  badPasskey: 465,
  ssoRefused: 466,
  wrongPassword: 405,
};
