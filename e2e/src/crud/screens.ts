/**
 * Screens with a form, and what a user would type there, where `derived.ts` does not get it from the declaration of the
 * resource.
 */

import type { Page } from "playwright-core";
import { declineClaim, type Fields } from "./hand.ts";

export interface Form {
  /** Ids of the behaviours that this row helps to prove. */
  readonly proves: string;
  /** "cpe", "pop" and "template" stand for the ids of such rows. */
  readonly path: string;
  /** The button that opens the form; null: the primary one of the page. */
  readonly add: string | null;
  readonly fill: Fields;
  /** The first value that was filled in, with "-2" behind it, by default. */
  readonly edit?: Fields;
  /** What the new row shows; the first value that was filled in by default. */
  readonly made?: string;
  /** What the row shows after the edit; the first value of the edit by default. */
  readonly shows?: string;
  /** What the list is searched for, where that is not what the row shows. */
  readonly search?: string;
  /** Labels of the row's actions and of the new form's button, where they differ. */
  readonly texts?: { readonly edit?: string; readonly remove?: string; readonly save?: string };
  /** What comes by itself once the new row was saved. */
  readonly next?: (page: Page) => Promise<void>;
  /** What the new row shows once it keeps its place: the list is sorted worst first. */
  readonly expects?: string;
  /** The edit is a screen of its own, whose path this is. */
  readonly editScreen?: string;
  /** Others are made of it, or its removal is elsewhere. */
  readonly stays?: true;
}

const operator = "运营中心";

const site = (section: string): string => `/sdwan-system/cpe/cpeSet/:cpe?section=${section}`;
const template = (section: string): string => `/business/template/${section}?templateId=:template`;

export const nodeForms: readonly Form[] = [
  {
    proves: "enterprises",
    path: "/sdwan-system/enterprisemanage",
    add: "Add enterprise",
    fill: { Name: "crud-retail", Contact: "Wang Fang" },
    // An enterprise is removed in its details, which no other screen has.
    stays: true,
  },
  {
    proves: "B-1-13",
    path: "/sdwan-system/pop",
    add: "Add POP",
    fill: { Name: "crud-pop", "Serial number": "CRUD-POP-1", Enterprise: operator },
    next: declineClaim,
  },
  {
    proves: "B-1-12",
    path: "/sdwan-system/cpe",
    add: "Add CPE",
    fill: { Alias: "crud-site", "Serial number": "CRUD-CPE-1", Enterprise: operator },
    next: declineClaim,
  },
  {
    proves: "roles",
    path: "/system/rolemanage",
    add: "Add role",
    fill: {
      Name: "crud-role",
      "Role code": "crudRole",
      Enterprise: operator,
      "Role type": "Controller",
    },
  },
  {
    proves: "accounts",
    path: "/sdwan-system/mobileTerminal/account",
    add: "Add account",
    fill: {
      Alias: "crud-phone",
      "Login name": "crudphone",
      Enterprise: "蓝海零售",
      "Terminal type": "Android",
    },
  },
  {
    proves: "templates",
    path: "/business/template",
    add: "Add template",
    fill: { "Template name": "crud-template" },
    texts: { edit: "Edit", remove: "Delete" },
  },
  {
    proves: "B-1-16",
    path: site("routes"),
    add: "Add route",
    fill: { Destination: "10.88.0.0/16", "Next hop": "10.101.1.254" },
    edit: { Destination: "10.89.0.0/16" },
  },
  {
    proves: "B-1-16",
    path: site("acl"),
    add: "Add rule",
    fill: { Name: "crud-acl", Source: "10.1.0.0/16" },
  },
  {
    proves: "B-1-16",
    path: site("dns"),
    add: "Add entry",
    fill: { Domain: "crud.example.com", Address: "192.0.2.9" },
    edit: { Domain: "crud2.example.com" },
  },
  {
    proves: "LAN sections",
    path: site("lans"),
    add: "Add LAN section",
    fill: { "IPv4 address/prefix": "10.177.1.1/24", Interface: "lan7" },
    edit: { "IPv4 address/prefix": "10.177.2.1/24" },
  },
  {
    proves: "lines",
    path: site("lines"),
    add: "Add WAN link",
    fill: { Name: "crud-line", Addressing: "DHCP", Slot: "wan4", Interface: "wan4" },
  },
  {
    proves: "B-1-16",
    path: template("bgp"),
    add: "Add BGP neighbour",
    fill: { Neighbour: "192.0.2.31", "Own AS": "65001", "Neighbour AS": "65002" },
    edit: { Neighbour: "192.0.2.32" },
  },
  {
    proves: "B-1-16",
    path: template("ospf"),
    add: "Add OSPF interface",
    fill: { Interface: "lan1", Area: "0.0.0.7" },
    edit: { Area: "0.0.0.8" },
  },
  {
    proves: "B-1-16",
    path: template("policyRoute"),
    add: "Add policy route",
    fill: { Name: "crud-route", "Next hop": "192.0.2.1" },
  },
  {
    proves: "B-1-16",
    path: template("dns"),
    add: "Add DNS control",
    fill: { Name: "crud-dns", "DNS server": "192.0.2.53" },
  },
  {
    proves: "B-1-16",
    path: template("wan"),
    add: "Add interface line",
    fill: { Name: "crud-wan", Position: "2" },
  },
  {
    proves: "B-1-16",
    path: template("lan"),
    add: "Add interface line",
    fill: { Name: "crud-lan", "Address/prefix": "10.66.1.1", "Subnet mask": "255.255.255.0" },
  },
  {
    proves: "groups",
    path: template("dns"),
    add: "Add DNS group",
    fill: { Name: "crud-names" },
  },
  {
    proves: "groups",
    path: template("customPolicy"),
    add: "Add application group",
    fill: { Name: "crud-appgroup", Applications: "SIP" },
  },
  {
    proves: "groups",
    path: template("urlGroup"),
    add: "Add URL group",
    fill: { Name: "crud-urls" },
    edit: { Remark: "edited" },
    stays: true,
  },
  {
    proves: "B-1-16",
    path: template("urlGroup"),
    add: "Add URL rule",
    fill: { Name: "crud-http", "URL group": "crud-urls" },
  },
  {
    proves: "groups",
    path: template("ipGroup"),
    add: "Add IP group",
    fill: { Name: "crud-ips" },
  },
  {
    proves: "groups",
    path: template("timeGroup"),
    add: "Add time group",
    fill: { Name: "crud-times", From: "09:00", To: "18:00" },
  },
  {
    proves: "bandwidth tunnels",
    path: template("bandwidthTunnel"),
    add: "Add bandwidth tunnel",
    fill: { Name: "crud-pipe", Guaranteed: "10", Maximum: "20" },
    edit: { Maximum: "30" },
    shows: "30 Mbit/s",
    stays: true,
  },
  {
    proves: "B-1-17",
    path: template("bandwidthPolicy"),
    add: "Add bandwidth policy",
    fill: { Name: "crud-qos", "Bandwidth tunnel": "crud-pipe" },
  },
  {
    proves: "port mappings",
    path: template("portMapping"),
    add: "Add port mapping",
    fill: { "Internal address": "10.1.1.7", "External port": "8443", "Internal port": "443" },
    edit: { "Internal address": "10.1.1.8" },
  },
  {
    proves: "limits",
    path: template("connectionControl"),
    add: "Add connection-number control",
    fill: { Name: "crud-limit", "Maximum connections": "1000" },
  },
];
