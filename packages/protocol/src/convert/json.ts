// Our JSON types are read-only, those of the generated code are not; the values are the same.
import type { JsonObject as WireJsonObject } from '@bufbuild/protobuf';
import type { JsonObject } from '../domain/json.js';

/** The same object, as the generated code's type. Nothing here or in the codec changes it. */
export function jsonToWire(value: JsonObject): WireJsonObject {
  return value as WireJsonObject;
}
