import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ANONYMOUS, REQUIRED_SCOPE, type Scope } from '../auth/index.js';
import { DESCRIPTION, type OperationDescription } from '../operations/describe.js';

/** A route as Nest serves it, with what it says of itself. */
export interface Route {
  /** Lower case, as OpenAPI writes it. */
  readonly method: string;
  /** Templated, such as `/v2/report/{id}`. */
  readonly path: string;
  /** `ReportController.create` */
  readonly handler: string;
  /** Open to everybody. */
  readonly anonymous: boolean;
  readonly scope?: Scope;
  /** Undefined: nobody has described it. */
  readonly description?: OperationDescription;
}

type Handler = (...parameters: never[]) => unknown;

/** Every route of every controller, in the order in which the modules stand. */
@Injectable()
export class Routes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  all(): Route[] {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (typeof metatype === 'function' ? this.routesOf(metatype as Type) : []));
  }

  /** Handlers that describe themselves and answer no route. */
  astray(): string[] {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (typeof metatype === 'function' ? this.handlersOf(metatype as Type) : []))
      .filter(({ handler }) => this.reflector.get(DESCRIPTION, handler) && !isRoute(handler))
      .map(({ name }) => name);
  }

  private routesOf(controller: Type): Route[] {
    return this.handlersOf(controller)
      .filter(({ handler }) => isRoute(handler))
      .flatMap(({ name, handler }) =>
        pathsOf(controller, handler).map((path) => this.routeOf(controller, handler, name, path)),
      );
  }

  private handlersOf(controller: Type): { name: string; handler: Handler }[] {
    const prototype = controller.prototype as Record<string, Handler>;
    return this.scanner.getAllMethodNames(prototype).flatMap((method) => {
      const handler = prototype[method];
      return handler ? [{ name: `${controller.name}.${method}`, handler }] : [];
    });
  }

  private routeOf(controller: Type, handler: Handler, name: string, path: string): Route {
    const places = [handler, controller];
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, places);
    const description = this.reflector.get<OperationDescription | undefined>(DESCRIPTION, handler);
    return {
      method: (RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '').toLowerCase(),
      path,
      handler: name,
      anonymous: this.reflector.getAllAndOverride<boolean | undefined>(ANONYMOUS, places) ?? false,
      ...(scope && { scope }),
      ...(description && { description }),
    };
  }
}

function isRoute(handler: Handler): boolean {
  return Reflect.hasMetadata(METHOD_METADATA, handler);
}

function pathsOf(controller: Type, handler: Handler): string[] {
  return metadataPaths(controller).flatMap((prefix) =>
    metadataPaths(handler).map(
      (path) =>
        `/${[prefix, path]
          .flatMap((part) => part.split('/'))
          .filter((part) => part !== '')
          .map((part) => part.replace(/^:(.+)$/, '{$1}'))
          .join('/')}`,
    ),
  );
}

function metadataPaths(target: object): string[] {
  return ([] as string[]).concat(Reflect.getMetadata(PATH_METADATA, target) as string | string[]);
}
