import { readFileSync } from "node:fs";
import path from "node:path";

/** The root folder of the repository, absolute. */
export const root = path.resolve(import.meta.dirname, "../..");

/** Absolute path of something named relative to the root. */
export function inRoot(...parts: string[]): string {
  return path.join(root, ...parts);
}

/** A JSON file of the repository. The caller states its shape: these files are our own. */
export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(inRoot(file), "utf8")) as T;
}

/** Path of a command that the packages bring, such as `biome` or `tsc`. */
export function bin(name: string): string {
  return inRoot("node_modules/.bin", name);
}

/** Folders of the workspaces, as the root package.json lists them ("apps/edge"). */
export function workspaces(): readonly string[] {
  return readJson<{ workspaces: string[] }>("package.json").workspaces;
}
