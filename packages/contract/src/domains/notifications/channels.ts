/** The ways by which people and programs are notified: one list, from which forms, stores and senders are typed. */
import type { Permission } from "#contract/permissions.ts";

export const channels = ["mail", "sms", "dingtalk", "wechat", "feishu", "webhook"] as const;
export type Channel = (typeof channels)[number];

/** Channels whose address is a URL that the controller sends HTTP requests to. */
export const hookChannels = ["dingtalk", "wechat", "feishu", "webhook"] as const;
export type HookChannel = (typeof hookChannels)[number];

export const isHookChannel = (channel: Channel): channel is HookChannel =>
  hookChannels.some((hookChannel) => hookChannel === channel);

interface ChannelFields {
  /** Fields of a recipient. */
  readonly address: "email" | "phone" | HookChannel;
  readonly flag: "emailFlag" | "phoneFlag" | `${HookChannel}Flag`;
  /** Field of the secret for the signature of its messages; null: they have none, or the address has the key in it. */
  readonly secret: "dingtalkSecret" | "feishuSecret" | "webhookSecret" | null;
  /** Who sees the fields; null: all who see recipients. */
  readonly may: Permission | null;
  /** Messages to one address within any minute; null: no limit. DingTalk and WeChat Work state 20, Feishu 100. */
  readonly perMinute: number | null;
}

/** Decided for every channel: a new one does not compile until it is here. */
export const channelFields = {
  mail: {
    address: "email",
    flag: "emailFlag",
    secret: null,
    may: "messageReceiveEmail",
    perMinute: null,
  },
  sms: {
    address: "phone",
    flag: "phoneFlag",
    secret: null,
    may: "messageReceivePhone",
    perMinute: null,
  },
  dingtalk: {
    address: "dingtalk",
    flag: "dingtalkFlag",
    secret: "dingtalkSecret",
    may: "messageReceiveDingtalkFlag",
    perMinute: 20,
  },
  wechat: {
    address: "wechat",
    flag: "wechatFlag",
    secret: null,
    may: "messageReceiveWechat",
    perMinute: 20,
  },
  feishu: {
    address: "feishu",
    flag: "feishuFlag",
    secret: "feishuSecret",
    may: null,
    perMinute: 100,
  },
  webhook: {
    address: "webhook",
    flag: "webhookFlag",
    secret: "webhookSecret",
    may: null,
    perMinute: null,
  },
} as const satisfies Readonly<Record<Channel, ChannelFields>>;

export type SecretField = NonNullable<(typeof channelFields)[Channel]["secret"]>;
/** Secrets of a recipient, in the order of the channels. */
export const secretFields: readonly SecretField[] = channels.flatMap(
  (channel) => channelFields[channel].secret ?? [],
);
