/** An entity that something is attached to. Its time of creation tells it apart from a later entity with the same ID. */
export type Subject<Type extends string> = { entityType: Type; entityID: string; entityCreatedTime: number };
