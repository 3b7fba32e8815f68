import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import * as ast from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Type,
  TypeFlags,
  type UnionOrIntersectionType,
} from 'typescript/unstable/sync';
import { code, nameOf as ruleNameOf } from './code-files.ts';
import { BY_IDENTITY } from './rules.ts';

const ROOT = `${resolve('.')}/`;
const COLLECTION = /^(Readonly)?(Weak)?(Map|Set)$/;
const SEARCHES = ['includes', 'indexOf', 'lastIndexOf'];
const EQUALS = [ast.SyntaxKind.EqualsEqualsEqualsToken, ast.SyntaxKind.ExclamationEqualsEqualsToken];

/** A compared object: one node, or both sides of a comparison. */
interface Compared {
  readonly nodes: readonly ast.Node[];
  /** The key is the first type argument of the node's type, not the type itself. */
  readonly inside: boolean;
}

const nameOf = (node: ast.Node): string => (ast.isIdentifier(node) ? node.text : '');

function comparedIn(node: ast.Node): Compared | undefined {
  if (ast.isNewExpression(node) && COLLECTION.test(nameOf(node.expression)))
    return { nodes: [node], inside: true };
  if (ast.isTypeReferenceNode(node) && COLLECTION.test(nameOf(node.typeName)) && node.typeArguments)
    return { nodes: [node.typeArguments[0]!], inside: false };
  if (ast.isBinaryExpression(node) && EQUALS.includes(node.operatorToken.kind))
    return { nodes: [node.left, node.right], inside: false };
  if (!ast.isCallExpression(node) || !ast.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  if (nameOf(name) === 'groupBy' && nameOf(expression) === 'Map') return { nodes: [node], inside: true };
  return SEARCHES.includes(nameOf(name)) ? { nodes: [node.arguments[0]!], inside: false } : undefined;
}

function isObject(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return false;
  if (type.flags & TypeFlags.Union)
    return (type as UnionOrIntersectionType).getTypes().some((part) => isObject(part, checker));
  // Account names and the like are branded texts.
  if (type.flags & TypeFlags.Intersection)
    return (type as UnionOrIntersectionType).getTypes().every((part) => isObject(part, checker));
  if (type.flags & TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint === undefined || isObject(constraint, checker);
  }
  return (type.flags & (TypeFlags.Object | TypeFlags.NonPrimitive)) !== 0;
}

/** Everything in the code, without tests, that is found or compared by object identity. */
function listByIdentity(): string[] {
  const api = new API({ cwd: resolve('.') });
  try {
    const [project] = api.updateSnapshot({ openProjects: [resolve('tsconfig.json')] }).getProjects();
    const { program, checker } = project!;
    return program.getSourceFileNames().flatMap((file) => {
      const name = ruleNameOf(file.slice(ROOT.length));
      if (!file.startsWith(ROOT) || !code.includes(name)) return [];
      const found: Compared[] = [];
      const visit = (node: ast.Node): void => {
        const compared = comparedIn(node);
        if (compared !== undefined) found.push(compared);
        node.forEachChild(visit);
      };
      visit(program.getSourceFile(file)!);
      // One query for all, because each goes to another process.
      const types = checker.getTypeAtLocation(found.flatMap(({ nodes }) => nodes));
      return found.flatMap(({ nodes, inside }) => {
        const own = types.splice(0, nodes.length);
        const keys = inside ? own.map((type) => type && checker.getTypeArguments(type as never)[0]) : own;
        return keys.every((key) => isObject(key, checker))
          ? [`${name}: ${/^\w+/.exec(checker.typeToString(keys[0]!))?.[0] ?? 'function'}`]
          : [];
      });
    });
  } finally {
    api.close();
  }
}

describe('identity', () => {
  it('never stands for equality: objects are compared only if the same object is meant', () => {
    assert.deepEqual([...new Set(listByIdentity())].sort(), Object.keys(BY_IDENTITY).sort());
  });
});
