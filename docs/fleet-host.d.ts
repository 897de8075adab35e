declare module 'fleet-host/commands/_schemas/accounts' {
export const accountFields: {
    readonly name: {
        readonly type: 'string';
        readonly pattern: '^[^\\p{C}]{1,64}$';
        readonly description: 'unique, 1 to 64 characters';
    };
    readonly role: {
        readonly enum: readonly ['read', 'operate', 'admin'];
        readonly description: 'each includes the ones before';
    };
    readonly centers: {
        readonly type: 'array';
        readonly items: {
            readonly type: 'integer';
            readonly minimum: 1;
        };
        readonly description: 'ids of centers: only their computers; with no center and no room all computers';
    };
    readonly rooms: {
        readonly type: 'array';
        readonly items: {
            readonly type: 'integer';
            readonly minimum: 1;
        };
        readonly description: 'ids of rooms: only their computers';
    };
};
export const disabled: {
    readonly type: 'boolean';
    readonly description: 'true: it is refused';
};
export const expires: {
    readonly type: 'integer';
    readonly minimum: 0;
    readonly description: 'seconds since 1970; 0: never';
};
export const password: {
    readonly type: 'string';
    readonly minLength: 8;
    readonly maxLength: 256;
    readonly description: '8 to 256 characters';
    readonly writeOnly: true;
};
/** What `GET /me` and `POST /login` answer. */
export const caller: {
    type: 'object';
    required: ("centers" | "name" | "role" | "rooms")[];
    properties: {
        readonly name: {
            readonly type: 'string';
        };
        readonly role: {
            readonly enum: readonly ['read', 'operate', 'admin'];
            readonly examples: readonly ['operate'];
        };
        readonly centers: {
            type: 'array';
            items: {
                readonly type: 'integer';
            };
            description?: string | undefined;
        };
        readonly rooms: {
            type: 'array';
            items: {
                readonly type: 'integer';
            };
            description?: string | undefined;
        };
    };
};
/** An entry of `GET /tokens` and `GET /users`. */
export const account: <const More extends Record<string, object>>(more: More) => {
    type: 'object';
    required: ("by" | "centers" | "created" | "disabled" | "id" | "name" | "role" | "rooms" | "used" | Exclude<keyof More & string, never>)[];
    properties: {
        readonly id: {
            readonly type: 'integer';
        };
        readonly name: {
            readonly type: 'string';
        };
        readonly role: {
            readonly enum: readonly ['read', 'operate', 'admin'];
            readonly examples: readonly ['operate'];
        };
        readonly centers: {
            type: 'array';
            items: {
                readonly type: 'integer';
            };
            description?: string | undefined;
        };
        readonly rooms: {
            type: 'array';
            items: {
                readonly type: 'integer';
            };
            description?: string | undefined;
        };
        readonly created: {
            readonly type: 'integer';
        };
        readonly by: {
            readonly type: 'string';
        };
        readonly disabled: {
            readonly type: 'boolean';
        };
        readonly used: {
            readonly type: 'integer';
        };
    } & More;
};
}

declare module 'fleet-host/commands/_schemas/audit' {
export const auditResult: {
    type: 'object';
    required: ("audit" | "next")[];
    properties: {
        readonly audit: {
            type: 'array';
            items: {
                type: 'object';
                required: ("address" | "clients" | "count" | "route" | "status" | "time" | "who")[];
                properties: {
                    time: {
                        readonly type: 'string';
                        readonly description: 'ISO time';
                        readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
                    };
                    who: {
                        readonly type: 'string';
                    };
                    address: {
                        readonly type: 'string';
                    };
                    route: {
                        readonly type: 'string';
                    };
                    status: {
                        readonly type: 'integer';
                    };
                    clients: {
                        type: 'array';
                        items: {
                            readonly type: 'string';
                            readonly description: 'IPv4 address';
                            readonly examples: readonly ['10.1.1.20'];
                        };
                        description?: string | undefined;
                    };
                    count: {
                        readonly type: 'integer';
                    };
                    job: {
                        readonly type: 'integer';
                    };
                    digest: {
                        readonly type: 'string';
                    };
                    more: {
                        readonly type: 'integer';
                    };
                };
            };
            description?: string | undefined;
        };
        readonly next: {
            readonly type: 'string';
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/command-file' {
export const commandFile: {
    type: 'object';
    required: ("command" | "file" | "origin" | "versions")[];
    properties: {
        readonly file: {
            readonly type: 'string';
        };
        readonly command: {
            readonly type: 'string';
        };
        readonly origin: {
            readonly type: 'string';
        };
        readonly versions: {
            readonly type: 'integer';
        };
        readonly route: {
            readonly type: 'string';
        };
        readonly forward: {
            readonly type: 'string';
        };
        readonly version: {
            readonly type: 'integer';
        };
        readonly loaded_at: {
            readonly type: 'string';
            readonly description: 'ISO time';
            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
        };
        readonly error: {
            readonly type: 'string';
        };
        readonly missing_on: {
            type: 'array';
            items: {
                readonly type: 'string';
            };
            description?: string | undefined;
        };
        readonly differs_on: {
            type: 'array';
            items: {
                readonly type: 'string';
            };
            description?: string | undefined;
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/computer-import' {
export const importReport: {
    type: 'object';
    required: ("added" | "conflicts" | "exists")[];
    properties: {
        readonly added: {
            readonly type: 'integer';
        };
        readonly exists: {
            readonly type: 'integer';
        };
        readonly updated: {
            readonly type: 'integer';
        };
        readonly conflicts: {
            type: 'array';
            items: {
                type: 'object';
                required: ("line" | "reason")[];
                properties: {
                    readonly line: {
                        readonly type: 'integer';
                    };
                    readonly reason: {
                        readonly type: 'string';
                    };
                };
            };
            description?: string | undefined;
        };
        readonly warnings: {
            type: 'array';
            items: {
                type: 'object';
                required: ("line" | "reason")[];
                properties: {
                    readonly line: {
                        readonly type: 'integer';
                    };
                    readonly reason: {
                        readonly type: 'string';
                    };
                };
            };
            description?: string | undefined;
        };
        readonly rows: {
            type: 'array';
            items: {
                type: 'object';
                required: ("action" | "ip" | "line" | "name")[];
                properties: {
                    readonly line: {
                        readonly type: 'integer';
                    };
                    readonly name: {
                        readonly type: 'string';
                    };
                    readonly ip: {
                        readonly type: 'string';
                        readonly description: 'IPv4 address';
                        readonly examples: readonly ['10.1.1.20'];
                    };
                    readonly action: {
                        readonly enum: readonly ["add", "update", "none"];
                        readonly examples: readonly ["update"];
                    };
                    readonly room: {
                        readonly type: 'string';
                    };
                    readonly changes: {
                        type: 'array';
                        items: {
                            type: 'object';
                            required: ("from" | "key" | "to")[];
                            properties: {
                                readonly key: {
                                    readonly type: 'string';
                                };
                                readonly from: {
                                    readonly type: 'string';
                                };
                                readonly to: {
                                    readonly type: 'string';
                                };
                            };
                        };
                        description?: string | undefined;
                    };
                };
            };
            description?: string | undefined;
        };
        readonly omitted: {
            readonly type: 'integer';
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/drain' {
export const drainState: {
    type: 'object';
    required: ("draining" | "queued" | "running" | "running_jobs")[];
    properties: {
        readonly draining: {
            readonly type: 'boolean';
        };
        readonly running: {
            readonly type: 'integer';
        };
        readonly queued: {
            readonly type: 'integer';
        };
        readonly running_jobs: {
            type: 'array';
            items: {
                type: 'object';
                required: ("id" | "running")[];
                properties: {
                    readonly id: {
                        readonly type: 'integer';
                    };
                    readonly running: {
                        readonly type: 'integer';
                    };
                };
            };
            description?: string | undefined;
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/host' {
export const host: {
    type: 'object';
    required: ("agents" | "leader" | "name" | "since" | "url" | "version")[];
    properties: {
        readonly name: {
            readonly type: 'string';
        };
        readonly url: {
            readonly type: 'string';
        };
        readonly since: {
            readonly type: 'string';
            readonly description: 'ISO time';
            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
        };
        readonly leader: {
            readonly type: 'boolean';
        };
        readonly agents: {
            readonly type: 'integer';
        };
        readonly version: {
            readonly type: 'string';
        };
        readonly lacks: {
            type: 'array';
            items: {
                readonly type: 'string';
            };
            description?: string | undefined;
        };
        readonly differs: {
            type: 'array';
            items: {
                readonly type: 'string';
            };
            description?: string | undefined;
        };
        readonly adds: {
            type: 'array';
            items: {
                readonly type: 'string';
            };
            description?: string | undefined;
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/image-create' {
export const payload: {
    readonly type: 'object';
    readonly required: readonly ['clients', 'disk', 'partition', 'name', 'id', 'code'];
    readonly anyOf: readonly [{
        readonly required: readonly ['repository'];
    }, {
        readonly required: readonly ['repository_id'];
    }];
    readonly properties: {
        readonly clients: {
            readonly $ref: 'clients';
        };
        readonly disk: {
            readonly type: 'string';
            readonly description: 'number of the disk, from 1';
        };
        readonly partition: {
            readonly type: 'string';
            readonly description: 'number of the partition, from 1';
        };
        readonly name: {
            readonly type: 'string';
            readonly description: 'the file is `<name>.img`';
        };
        readonly id: {
            readonly type: 'string';
            readonly description: 'id of the image; 0: that of the name; with `description`, the id of the new image replaces it';
            readonly proposed: '0';
        };
        readonly code: {
            readonly type: 'string';
            readonly description: 'type of the partition, as `GET /client/setup` shows it: 131 Linux, 7 NTFS, 130 swap, 202 cache';
        };
        readonly repository: {
            readonly type: 'string';
            readonly description: 'address of the repository that gets the file';
        };
        readonly repository_id: {
            readonly type: readonly ['integer', 'string'];
            readonly pattern: '^[0-9]+$';
            readonly expected: 'digits';
            readonly description: 'id of the repository, in place of its address';
        };
        readonly description: {
            readonly type: 'string';
            readonly description: 'adds the image to the list of `GET /images`';
        };
        readonly group_id: {
            readonly type: 'integer';
            readonly minimum: 0;
            readonly description: 'id of a group of images, for consoles';
        };
        readonly center_id: {
            readonly type: 'integer';
            readonly minimum: 0;
            readonly description: 'id of the center that the image belongs to';
        };
    };
};
export const reply: {
    readonly type: 'object';
    readonly required: readonly ['software', 'partition', 'disk', 'id', 'datasize', 'clonator', 'compressor', 'filesystem'];
    readonly properties: {
        readonly software: {
            readonly type: 'string';
            readonly maxLines: 10000;
        };
        readonly partition: {
            readonly $ref: 'place';
        };
        readonly disk: {
            readonly $ref: 'place';
        };
        readonly id: {
            readonly $ref: 'id';
        };
        readonly code: {
            readonly type: 'string';
        };
        readonly name: {
            readonly type: 'string';
        };
        readonly repository: {
            readonly type: 'string';
        };
        readonly datasize: {
            readonly type: 'integer';
            readonly minimum: 0;
            readonly maximum: number;
        };
        readonly clonator: {
            readonly type: 'string';
            readonly pattern: '^[ -~]{0,64}$';
            readonly description: 'at most 64 printable ASCII characters';
        };
        readonly compressor: {
            readonly type: 'string';
            readonly pattern: '^[ -~]{0,64}$';
            readonly description: 'at most 64 printable ASCII characters';
        };
        readonly filesystem: {
            readonly type: 'string';
            readonly pattern: '^[ -~]{0,64}$';
            readonly description: 'at most 64 printable ASCII characters';
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/image-files' {
export const imageFile: {
    size: {
        readonly type: 'integer';
    };
    modified: {
        readonly type: 'string';
    };
    permissions: {
        readonly type: 'string';
    };
    check: {
        type: 'object';
        required: "state"[];
        properties: {
            readonly state: {
                readonly enum: readonly ["not checked", "queued", "running", "ok", "damaged", "no checksum", "unreadable"];
                readonly description: "whether the file matches the checksum next to it";
                readonly examples: readonly ["ok"];
            };
            readonly at: {
                readonly type: 'string';
                readonly description: 'ISO time';
                readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
            };
            readonly percent: {
                readonly type: 'integer';
            };
        };
    };
};
export const imageVersion: {
    type: 'object';
    required: ("check" | "modified" | "name" | "permissions" | "size" | "version")[];
    properties: {
        readonly size: {
            readonly type: 'integer';
        };
        readonly modified: {
            readonly type: 'string';
        };
        readonly permissions: {
            readonly type: 'string';
        };
        readonly check: {
            type: 'object';
            required: "state"[];
            properties: {
                readonly state: {
                    readonly enum: readonly ["not checked", "queued", "running", "ok", "damaged", "no checksum", "unreadable"];
                    readonly description: "whether the file matches the checksum next to it";
                    readonly examples: readonly ["ok"];
                };
                readonly at: {
                    readonly type: 'string';
                    readonly description: 'ISO time';
                    readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
                };
                readonly percent: {
                    readonly type: 'integer';
                };
            };
        };
        readonly name: {
            readonly type: 'string';
        };
        readonly version: {
            readonly type: 'integer';
        };
    };
};
export const binEntry: {
    type: 'object';
    required: ("deleted" | "expires" | "id" | "name" | "reason" | "size")[];
    properties: {
        readonly id: {
            readonly type: 'integer';
        };
        readonly name: {
            readonly type: 'string';
        };
        readonly size: {
            readonly type: 'integer';
        };
        readonly deleted: {
            readonly type: 'string';
            readonly description: 'ISO time';
            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
        };
        readonly expires: {
            readonly type: 'string';
            readonly description: 'ISO time';
            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
        };
        readonly reason: {
            readonly enum: readonly ["deleted", "creation failed"];
            readonly examples: readonly ["deleted"];
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/jobs' {
export const waiting: {
    type: 'object';
    required: "for"[];
    properties: {
        readonly for: {
            readonly enum: readonly ["slot", "batch", "logout"];
            readonly description: "a slot of its repository, its turn in the batch of the job, or a logout";
        };
        readonly place: {
            readonly type: 'integer';
        };
        readonly seconds: {
            readonly type: 'integer';
        };
    };
};
export const progress: {
    type: 'object';
    required: "percent"[];
    properties: {
        percent: {
            readonly type: "number";
        };
        rate: {
            readonly type: 'integer';
        };
        remaining: {
            readonly type: 'integer';
        };
    };
};
export const partStates: readonly ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled'];
/** A list of jobs, or one job. */
export const jobResults: {
    readonly type: 'object';
    readonly anyOf: readonly [{
        readonly type: 'object';
        readonly required: "jobs"[];
        readonly properties: {
            readonly jobs: {
                type: 'array';
                items: {
                    type: 'object';
                    required: ("arguments" | "by" | "commands" | "counts" | "created" | "id" | "name" | "origin")[];
                    properties: {
                        readonly id: {
                            readonly type: 'integer';
                        };
                        readonly created: {
                            readonly type: 'string';
                            readonly description: 'ISO time';
                            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
                        };
                        readonly origin: {
                            readonly enum: readonly ['request', 'task', 'procedure', 'schedule', 'retry'];
                            readonly description: 'what has created it';
                        };
                        readonly name: {
                            readonly type: 'string';
                        };
                        readonly by: {
                            readonly type: 'string';
                        };
                        readonly caller: {
                            readonly type: 'string';
                        };
                        readonly commands: {
                            type: 'array';
                            items: {
                                readonly type: 'string';
                            };
                            description?: string | undefined;
                        };
                        readonly steps: {
                            readonly type: 'integer';
                        };
                        readonly counts: {
                            type: 'object';
                            required: ("cancelled" | "expired" | "failure" | "queued" | "sent" | "skipped" | "success")[];
                            properties: Record<"cancelled" | "expired" | "failure" | "queued" | "sent" | "skipped" | "success", {
                                readonly type: 'integer';
                            }>;
                        };
                        readonly arguments: {
                            type: 'array';
                            items: {
                                readonly type: readonly ["object", "null"];
                                readonly examples: readonly [{
                                    readonly run: "uname -r";
                                    readonly echo: true;
                                }];
                            };
                            description?: string | undefined;
                        };
                    };
                };
                description?: string | undefined;
            };
        };
        readonly title: 'List of jobs';
    }, {
        readonly type: 'object';
        readonly required: ("arguments" | "by" | "commands" | "counts" | "created" | "id" | "name" | "origin" | "parts")[];
        readonly properties: {
            id: {
                readonly type: 'integer';
            };
            created: {
                readonly type: 'string';
                readonly description: 'ISO time';
                readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
            };
            origin: {
                readonly enum: readonly ['request', 'task', 'procedure', 'schedule', 'retry'];
                readonly description: 'what has created it';
            };
            name: {
                readonly type: 'string';
            };
            by: {
                readonly type: 'string';
            };
            caller: {
                readonly type: 'string';
            };
            commands: {
                type: 'array';
                items: {
                    readonly type: 'string';
                };
                description?: string | undefined;
            };
            steps: {
                readonly type: 'integer';
            };
            counts: {
                type: 'object';
                required: ("cancelled" | "expired" | "failure" | "queued" | "sent" | "skipped" | "success")[];
                properties: Record<"cancelled" | "expired" | "failure" | "queued" | "sent" | "skipped" | "success", {
                    readonly type: 'integer';
                }>;
            };
            arguments: {
                type: 'array';
                items: {
                    readonly type: readonly ["object", "null"];
                    readonly examples: readonly [{
                        readonly run: "uname -r";
                        readonly echo: true;
                    }];
                };
                description?: string | undefined;
            };
            parts: {
                type: 'array';
                items: {
                    type: 'object';
                    required: ("client" | "command" | "queued" | "state" | "step")[];
                    properties: {
                        readonly client: {
                            readonly type: 'string';
                            readonly description: 'IPv4 address';
                            readonly examples: readonly ['10.1.1.20'];
                        };
                        readonly step: {
                            readonly type: 'integer';
                        };
                        readonly command: {
                            readonly type: 'string';
                        };
                        readonly state: {
                            readonly enum: readonly ["queued", "sent", "success", "failure", "skipped", "expired", "cancelled"];
                            readonly examples: readonly ['success'];
                        };
                        readonly reason: {
                            readonly type: 'string';
                        };
                        readonly progress: {
                            type: 'object';
                            required: "percent"[];
                            properties: {
                                percent: {
                                    readonly type: "number";
                                };
                                rate: {
                                    readonly type: 'integer';
                                };
                                remaining: {
                                    readonly type: 'integer';
                                };
                            };
                        };
                        readonly waiting: {
                            type: 'object';
                            required: "for"[];
                            properties: {
                                readonly for: {
                                    readonly enum: readonly ["slot", "batch", "logout"];
                                    readonly description: "a slot of its repository, its turn in the batch of the job, or a logout";
                                };
                                readonly place: {
                                    readonly type: 'integer';
                                };
                                readonly seconds: {
                                    readonly type: 'integer';
                                };
                            };
                        };
                        readonly queued: {
                            readonly type: 'string';
                            readonly description: 'ISO time';
                            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
                        };
                        readonly sent: {
                            readonly type: 'string';
                            readonly description: 'ISO time';
                            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
                        };
                        readonly ended: {
                            readonly type: 'string';
                            readonly description: 'ISO time';
                            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
                        };
                        readonly output: {
                            readonly type: 'string';
                        };
                        readonly output_dropped: {
                            readonly enum: readonly [true];
                            readonly description: 'the output was dropped, as newer ones needed its space';
                        };
                    };
                };
                description?: string | undefined;
            };
            next: {
                readonly type: 'integer';
            };
        };
        readonly title: 'One job';
    }];
};
}

declare module 'fleet-host/commands/_schemas/planned-restores' {
export const payload: {
    readonly type: 'object';
    readonly required: readonly ['image', 'rooms'];
    readonly dependencies: {
        readonly disk: readonly ['partition'];
        readonly partition: readonly ['disk'];
    };
    readonly additionalProperties: false;
    readonly properties: {
        readonly wake: {
            readonly type: 'boolean';
            readonly description: 'computers that are off are woken';
        };
        readonly when_idle: {
            readonly type: 'boolean';
            readonly description: 'a computer where somebody is logged in waits until nobody is';
        };
        readonly until: {
            readonly type: 'string';
            readonly pattern: '^([01]\\d|2[0-3]):[0-5]\\d$';
            readonly expected: 'hh:mm';
            readonly description: 'what has not begun by then, in local time of the daemon, expires';
            readonly examples: readonly ['06:30'];
        };
        readonly batch: {
            readonly type: 'integer';
            readonly minimum: 1;
            readonly maximum: 100000;
            readonly description: 'at most so many computers at once';
        };
        readonly then: {
            readonly enum: readonly ['poweroff', 'session'];
            readonly description: 'a last step; session: starts the partition of the step before';
        };
        readonly then_after: {
            readonly enum: readonly ['success', 'any'];
            readonly description: 'whether computers get it only where all steps before have succeeded; default: any, of image/plan success';
        };
        readonly image: {
            readonly type: 'string';
            readonly description: 'name of the image, or `<name>.v<version>` for an older file of it';
        };
        readonly rooms: {
            readonly type: 'array';
            readonly minItems: 1;
            readonly items: {
                readonly type: 'integer';
                readonly minimum: 1;
            };
            readonly description: 'ids of rooms';
        };
        readonly disk: {
            readonly type: 'string';
            readonly pattern: '^[1-9][0-9]{0,3}$';
            readonly description: string;
        };
        readonly partition: {
            readonly type: 'string';
            readonly pattern: '^[1-9][0-9]{0,3}$';
            readonly description: string;
        };
        readonly type: {
            readonly enum: readonly ['UNICAST', 'MULTICAST', 'TORRENT'];
            readonly description: 'how the image comes there; default: UNICAST';
        };
        readonly at: {
            readonly type: 'string';
            readonly pattern: '^([01]\\d|2[0-3]):[0-5]\\d$';
            readonly expected: 'hh:mm';
            readonly description: 'the next such time, in local time of the daemon; default: now';
            readonly examples: readonly ['22:00'];
        };
        readonly overwrite: {
            readonly type: 'boolean';
            readonly description: 'true: also where another system than that of the image would be overwritten';
        };
        readonly dry_run: {
            readonly type: 'boolean';
            readonly description: 'stores and starts nothing';
        };
    };
};
export const content: {
    type: 'object';
    required: ("another_system" | "computers" | "filesystem" | "system")[];
    properties: {
        readonly system: {
            readonly type: 'string';
        };
        readonly filesystem: {
            readonly type: 'string';
        };
        readonly another_system: {
            readonly type: 'boolean';
        };
        readonly computers: {
            readonly type: 'integer';
        };
    };
};
export const planResult: {
    type: 'object';
    required: ("computers" | "content" | "disk" | "image" | "overwrites" | "partition" | "refused" | "repository" | "rooms" | "starts" | "system")[];
    properties: {
        readonly image: {
            readonly type: 'string';
        };
        readonly repository: {
            readonly type: 'string';
            readonly description: 'IPv4 address';
            readonly examples: readonly ['10.1.1.20'];
        };
        readonly starts: {
            readonly type: 'string';
            readonly description: 'ISO time';
            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
        };
        readonly until: {
            readonly type: 'string';
            readonly description: 'ISO time';
            readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
        };
        readonly disk: {
            readonly type: 'string';
        };
        readonly partition: {
            readonly type: 'string';
        };
        readonly system: {
            readonly type: 'string';
        };
        readonly computers: {
            readonly type: 'integer';
        };
        readonly content: {
            type: 'array';
            items: {
                type: 'object';
                required: ("another_system" | "computers" | "filesystem" | "system")[];
                properties: {
                    readonly system: {
                        readonly type: 'string';
                    };
                    readonly filesystem: {
                        readonly type: 'string';
                    };
                    readonly another_system: {
                        readonly type: 'boolean';
                    };
                    readonly computers: {
                        readonly type: 'integer';
                    };
                };
            };
            description?: string | undefined;
        };
        readonly overwrites: {
            readonly type: 'integer';
        };
        readonly rooms: {
            type: 'array';
            items: {
                type: 'object';
                required: ("center" | "computers" | "id" | "in_use" | "name" | "off" | "refused")[];
                properties: {
                    readonly id: {
                        readonly type: 'integer';
                    };
                    readonly name: {
                        readonly type: 'string';
                    };
                    readonly center: {
                        readonly type: 'string';
                    };
                    readonly computers: {
                        readonly type: 'integer';
                    };
                    readonly off: {
                        readonly type: 'integer';
                    };
                    readonly in_use: {
                        readonly type: 'integer';
                    };
                    readonly refused: {
                        readonly type: 'integer';
                    };
                };
            };
            description?: string | undefined;
        };
        readonly refused: {
            type: 'array';
            items: {
                type: 'object';
                required: ("client" | "name" | "reason" | "room")[];
                properties: {
                    readonly client: {
                        readonly type: 'string';
                        readonly description: 'IPv4 address';
                        readonly examples: readonly ['10.1.1.20'];
                    };
                    readonly name: {
                        readonly type: 'string';
                    };
                    readonly room: {
                        readonly type: 'string';
                    };
                    readonly reason: {
                        readonly type: 'string';
                    };
                };
            };
            description?: string | undefined;
        };
        readonly task: {
            readonly type: 'integer';
        };
        readonly schedule: {
            readonly type: 'integer';
        };
    };
};
}

declare module 'fleet-host/commands/_schemas/results' {
export const text: {
    readonly type: 'string';
};
export const integer: {
    readonly type: 'integer';
};
export const flag: {
    readonly type: 'boolean';
};
export const address: {
    readonly type: 'string';
    readonly description: 'IPv4 address';
    readonly examples: readonly ['10.1.1.20'];
};
export const time: {
    readonly type: 'string';
    readonly description: 'ISO time';
    readonly examples: readonly ['2026-09-14T08:00:00.000Z'];
};
/** A schema with the words that explain its key, and a value for the example of the answer. */
export const described: <const Schema extends object>(schema: Schema, description: string, ...examples: unknown[]) => Schema;
/** A schema with a value for the example of the answer. */
export const like: <const Schema extends object>(schema: Schema, ...examples: unknown[]) => Schema;
export const list: <const Items extends object>(items: Items, description?: string) => {
    type: 'array';
    items: Items;
    description?: string | undefined;
};
export const result: <const Properties extends Record<string, object>, Optional extends keyof Properties = never>(properties: Properties, optional?: readonly Optional[]) => {
    type: 'object';
    required: Exclude<keyof Properties & string, Optional>[];
    properties: Properties;
};
/** The schema of a payload, query or reply whose keys are all required. */
export const required: <const Properties extends Record<string, object>>(properties: Properties) => {
    type: 'object';
    required: Exclude<keyof Properties & string, never>[];
    properties: Properties;
};
/** As `result`, with all keys optional. */
export const partial: <const Properties extends Record<string, object>>(properties: Properties) => {
    type: 'object';
    required: never[];
    properties: Properties;
};
/** The schemas of keys with integers, from an example of each. */
export const integers: <Key extends string>(examples: Record<Key, number>, schema?: {
    readonly type: 'integer';
}) => Record<Key, typeof integer>;
}

declare module 'fleet-host/commands/_schemas/software-list' {
/** The operating system and one program a line; no system has so many. */
export const softwareList: {
    readonly type: 'string';
    readonly maxLines: 10000;
};
}

declare module 'fleet-host/commands/_schemas/tasks' {
/** In local time. */
export const timeOfDay: {
    readonly type: 'string';
    readonly pattern: '^([01]\\d|2[0-3]):[0-5]\\d$';
    readonly expected: 'hh:mm';
};
/** How it runs. */
export const runOptions: {
    readonly wake: {
        readonly type: 'boolean';
        readonly description: 'computers that are off are woken';
    };
    readonly when_idle: {
        readonly type: 'boolean';
        readonly description: 'a computer where somebody is logged in waits until nobody is';
    };
    readonly until: {
        readonly type: 'string';
        readonly pattern: '^([01]\\d|2[0-3]):[0-5]\\d$';
        readonly expected: 'hh:mm';
        readonly description: 'what has not begun by then, in local time of the daemon, expires';
        readonly examples: readonly ['06:30'];
    };
    readonly batch: {
        readonly type: 'integer';
        readonly minimum: 1;
        readonly maximum: 100000;
        readonly description: 'at most so many computers at once';
    };
    readonly then: {
        readonly enum: readonly ['poweroff', 'session'];
        readonly description: 'a last step; session: starts the partition of the step before';
    };
    readonly then_after: {
        readonly enum: readonly ['success', 'any'];
        readonly description: 'whether computers get it only where all steps before have succeeded; default: any, of image/plan success';
    };
};
export const procedureFields: {
    readonly center: {
        readonly $ref: 'id';
        readonly description: 'id of its center';
    };
    readonly name: {
        readonly type: 'string';
        readonly minLength: 1;
        readonly description: 'unique in its center';
    };
    readonly description: {
        readonly type: 'string';
        readonly description: 'for people';
    };
    readonly steps: {
        readonly $ref: 'steps';
    };
};
export const taskFields: {
    readonly center: {
        readonly $ref: 'id';
        readonly description: 'id of its center';
    };
    readonly name: {
        readonly type: 'string';
        readonly minLength: 1;
        readonly description: 'unique in its center';
    };
    readonly description: {
        readonly type: 'string';
        readonly description: 'for people';
    };
    readonly steps: {
        readonly $ref: 'taskSteps';
    };
    readonly scope: {
        readonly type: 'object';
        readonly required: readonly ['type', 'id'];
        readonly additionalProperties: false;
        readonly description: 'whose computers it is for; without scope and clients: those of its center';
        readonly properties: {
            readonly type: {
                readonly enum: readonly ['center', 'room', 'computer'];
            };
            readonly id: {
                readonly type: 'integer';
                readonly minimum: 1;
            };
        };
    };
    readonly clients: {
        readonly $ref: 'clients';
        readonly description: 'the computers that it is for, by address';
    };
    readonly options: {
        readonly type: 'object';
        readonly additionalProperties: false;
        readonly description: 'how it runs; replaces all earlier options';
        readonly properties: {
            readonly wake: {
                readonly type: 'boolean';
                readonly description: 'computers that are off are woken';
            };
            readonly when_idle: {
                readonly type: 'boolean';
                readonly description: 'a computer where somebody is logged in waits until nobody is';
            };
            readonly until: {
                readonly type: 'string';
                readonly pattern: '^([01]\\d|2[0-3]):[0-5]\\d$';
                readonly expected: 'hh:mm';
                readonly description: 'what has not begun by then, in local time of the daemon, expires';
                readonly examples: readonly ['06:30'];
            };
            readonly batch: {
                readonly type: 'integer';
                readonly minimum: 1;
                readonly maximum: 100000;
                readonly description: 'at most so many computers at once';
            };
            readonly then: {
                readonly enum: readonly ['poweroff', 'session'];
                readonly description: 'a last step; session: starts the partition of the step before';
            };
            readonly then_after: {
                readonly enum: readonly ['success', 'any'];
                readonly description: 'whether computers get it only where all steps before have succeeded; default: any, of image/plan success';
            };
        };
    };
};
export const procedureResult: {
    type: 'object';
    required: ("center" | "description" | "id" | "name" | "steps")[];
    properties: {
        readonly id: {
            readonly type: 'integer';
        };
        readonly center: {
            readonly type: 'integer';
        };
        readonly name: {
            readonly type: 'string';
        };
        readonly description: {
            readonly type: 'string';
        };
        readonly steps: {
            readonly $ref: "steps";
        };
    };
};
export const taskResult: {
    type: 'object';
    required: ("center" | "description" | "id" | "name" | "steps")[];
    properties: {
        readonly id: {
            readonly type: 'integer';
        };
        readonly center: {
            readonly type: 'integer';
        };
        readonly name: {
            readonly type: 'string';
        };
        readonly description: {
            readonly type: 'string';
        };
        readonly steps: {
            readonly $ref: "taskSteps";
        };
        readonly scope: {
            type: 'object';
            required: ("id" | "type")[];
            properties: {
                readonly type: {
                    readonly enum: readonly ["center", "room", "computer"];
                };
                readonly id: {
                    readonly type: 'integer';
                };
            };
        };
        readonly clients: {
            type: 'array';
            items: {
                readonly $ref: "ipv4";
            };
            description?: string | undefined;
        };
        readonly options: {
            type: 'object';
            required: never[];
            properties: {
                readonly wake: {
                    readonly type: 'boolean';
                    readonly description: 'computers that are off are woken';
                };
                readonly when_idle: {
                    readonly type: 'boolean';
                    readonly description: 'a computer where somebody is logged in waits until nobody is';
                };
                readonly until: {
                    readonly type: 'string';
                    readonly pattern: '^([01]\\d|2[0-3]):[0-5]\\d$';
                    readonly expected: 'hh:mm';
                    readonly description: 'what has not begun by then, in local time of the daemon, expires';
                    readonly examples: readonly ['06:30'];
                };
                readonly batch: {
                    readonly type: 'integer';
                    readonly minimum: 1;
                    readonly maximum: 100000;
                    readonly description: 'at most so many computers at once';
                };
                readonly then: {
                    readonly enum: readonly ['poweroff', 'session'];
                    readonly description: 'a last step; session: starts the partition of the step before';
                };
                readonly then_after: {
                    readonly enum: readonly ['success', 'any'];
                    readonly description: 'whether computers get it only where all steps before have succeeded; default: any, of image/plan success';
                };
            };
        };
    };
};
}

declare module 'fleet-host/host/contract/access-services' {
import type { caller } from 'fleet-host/commands/_schemas/accounts';
import type { auditResult } from 'fleet-host/commands/_schemas/audit';
import type { Token, User } from 'fleet-host/stores/store';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { Refusal, Request, Rights } from 'fleet-host/host/contract/request';
/** What a new token has; with neither centers nor rooms it is for all computers. */
export type NewToken = Pick<Token, 'name' | 'role'> & Partial<Pick<Token, 'centers' | 'rooms' | 'expires'>>;
/** Absent keys keep their values. */
export type TokenChange = Partial<Pick<Token, 'name' | 'role' | 'centers' | 'rooms' | 'expires' | 'disabled'>>;
export type TokenEntry = Omit<Token, 'hash'>;
export type NewUser = Pick<User, 'name' | 'role'> & Partial<Pick<User, 'centers' | 'rooms'>> & {
    password: string;
};
/** Absent keys keep their values. */
export type UserChange = Partial<Pick<User, 'name' | 'role' | 'centers' | 'rooms' | 'disabled'> & {
    password: string;
}>;
export type UserEntry = Omit<User, 'hash'>;
/** Who a caller is. */
export type CallerEntry = FromSchema<typeof caller>;
/** A session of a user, or of the holder of a token. */
export interface NewSession {
    /** The headers `Set-Cookie`, that of the session first. */
    cookies: string[];
    caller: CallerEntry;
}
/** Tokens, users and sessions. `by` is the name of who asks. */
export interface AccessService {
    tokens(): TokenEntry[];
    /** Resolves to the id and the token itself, which cannot be read again. */
    addToken(token: NewToken, by: string): Promise<{
        id: number;
        token: string;
    } | Refusal>;
    updateToken(id: number, change: TokenChange): Promise<Refusal | undefined>;
    deleteToken(id: number): Promise<Refusal | undefined>;
    users(): UserEntry[];
    /** Resolves to the id. */
    addUser(user: NewUser, by: string): Promise<number | Refusal>;
    /** A new password, and `disabled`, end the sessions of the user. */
    updateUser(id: number, change: UserChange): Promise<Refusal | undefined>;
    deleteUser(id: number): Promise<Refusal | undefined>;
    /** Refused with 401 for a wrong name or password, or a wrong token, and with 429 after many wrong passwords. */
    login(credentials: {
        name: string;
        password: string;
    } | {
        token: string;
    } | {
        link: string;
    }, request: LoginRequest): Promise<NewSession | Refusal>;
    /**
     * A path of the console that logs a browser in as the caller, once and for that many seconds. Refused with 403 for
     * callers that are not on the server itself.
     */
    loginLink(request: LoginRequest & Pick<Request, 'rights'>): {
        path: string;
        seconds: number;
    } | Refusal;
    /** Ends the session of the request; returns the header `Set-Cookie`. */
    logout(request: LoginRequest): string;
    me(rights: Rights): CallerEntry;
    /** The present rights of a reference, see `Rights`; undefined when it is gone, disabled or expired. */
    rightsOf(reference: string): Rights | undefined;
}
export type LoginRequest = Pick<Request, 'identify' | 'caller' | 'header' | 'isSecure'>;
/** The oldest record first. `next` is for `after` of the following page; equal to `after` when there was no more to read. */
export type AuditPage = FromSchema<typeof auditResult>;
/** A write that was accepted or refused, or the run of a schedule. */
export type AuditRecord = AuditPage['audit'][number];
export interface AuditQuery {
    /** ISO time in UTC: only records from then on. Default: a day ago, unless there is `after`. */
    since?: string | undefined;
    /** With or without its kind: `token lab`, `lab`. */
    who?: string | undefined;
    /** A route, a path, or the beginning of a path. */
    route?: string | undefined;
    limit: number;
    /** `next` of the page before. */
    after?: string | undefined;
}
export interface AuditService {
    read(query: AuditQuery): Promise<AuditPage>;
}
}

declare module 'fleet-host/host/contract/agents-services' {
import type { host } from 'fleet-host/commands/_schemas/host';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { Outcome, Request, TextResponse } from 'fleet-host/host/contract/request';
/** An entry of `GET /clients`; wake-up entries have neither `speed` nor `status`. */
export interface ClientEntry {
    addr: string;
    state: string;
    speed?: number;
    last_cmd: {
        result: 'unknown' | 'success' | 'failure';
    };
    status?: string;
}
export interface FleetService {
    /**
     * Of the whole fleet: wake-up entries first, then connected agents, most recent first. The same frozen list until an
     * entry changes.
     */
    clients(): readonly ClientEntry[];
    /** Whether an agent of that address is connected, to any host of the fleet. */
    has(addr: string): boolean;
    /**
     * The commands that connected agents are running, with their accepted payloads; of agents of other hosts with the short
     * texts and numbers of the payload only.
     */
    running(): {
        addr: string;
        command: string;
        payload: unknown;
    }[];
    /**
     * Shows the address as WOL_SENT until its agent connects, for 60 s at most. With `kind`, a `type` of `WakeService`, the
     * other hosts send their magic packets, too.
     */
    addWakeEntry(addr: string, kind?: string): void;
    /** The output of the last script on that address, '' when there is none. To be awaited: several hosts share outputs. */
    output(addr: string): string | Promise<string>;
    /** Stores an output, cut at `limits.output` characters. */
    setOutput(addr: string, output: string): void | Promise<void>;
    clearOutput(addrs: string[]): void | Promise<void>;
}
/** A computer with somebody logged in; the agent may not say who. */
export interface SessionEntry {
    client: string;
    user?: string;
}
export interface SessionsService {
    /** The newest login of each connected client, unless its agent has reported the logout. */
    list(): SessionEntry[];
}
/** What an agent says of its computer; each value printable and of limited length, absent when it was not said. */
export interface Hello {
    name?: string;
    /** 12 hex digits in lower case. */
    mac?: string;
    /** The serial number of the computer. */
    serial?: string;
    /** The operating system. */
    os?: string;
    /** The agent's program and version. */
    agent?: string;
}
/** A connected client without a computer record. */
export interface PendingClient extends Hello {
    client: string;
    /** The ISO time of its connection. */
    since: string;
}
/** `omitted`: how many the response has no space for; absent when it has all. */
export interface PendingList {
    pending: PendingClient[];
    omitted?: number;
}
export interface PendingService {
    /** The oldest connection first; `mac` may come from the neighbour table of the server. */
    list(): Promise<PendingList>;
    /** The connected clients that have said which agent they have, also those with a record. */
    agents(): {
        client: string;
        agent: string;
    }[];
}
export interface WakeService {
    /**
     * Sends magic packets to a computer that has a record and is not connected, and shows it as WOL_SENT. `type` is
     * `unicast`, `broadcast`, `1` (broadcast) or `2` (unicast); any other type is logged and sent as broadcast.
     */
    send(ip: string, type: string): Promise<Outcome>;
}
/** A host of the fleet. */
export type HostEntry = FromSchema<typeof host>;
export interface HostsService {
    /** All hosts of the fleet, the leader first; one in a daemon that runs alone. */
    list(): HostEntry[];
}
/** The agent for Linux: one file, which is made once. */
export interface AgentProgramService {
    /** Rejects when a source file cannot be read or compiled. */
    file(): Promise<AgentFile>;
    /** The program as a response; 304 for who has it. */
    respond(request: Pick<Request, 'header'>): Promise<TextResponse>;
    /** A script for `sh` that installs the program, which it contains, for the server that the request names. */
    installer(request: InstallRequest): Promise<TextResponse>;
    /** The address of that script for other computers; undefined when `rest.ip` lets only this server use the API. */
    installUrl(request: InstallRequest): string | undefined;
}
export type InstallRequest = Pick<Request, 'header' | 'isSecure' | 'server'>;
export interface AgentFile {
    bytes: Uint8Array;
    /** 64 hex digits in lower case. */
    sha256: string;
    /** As `fleet-agent --version` prints it: `fleet-agent 1.0.0`. */
    version: string;
    /** Where the REST API that serves it listens; the port is 0 when the system has chosen it. */
    rest: {
        port: number;
        tls: boolean;
    };
}
}

declare module 'fleet-host' {
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { Access, Client, Outcome, Refusal, ReplyFailure, Request, Services, TextResponse } from 'fleet-host/host/contract/services';
export type * from 'fleet-host/stores/store';
export type * from 'fleet-host/host/contract/services';
export type Route = `GET /${string}` | `POST /${string}`;
export type Awaitable<T> = T | Promise<T>;
/** The default export of a command file. `P`, `R` and `Q` are the types of its schemas `payload`, `forward.reply` and `query`. */
export interface Command<P = undefined, R = undefined, Q = undefined> {
    /** One line for people: API reference, CLI, console. */
    summary: string;
    /** The heading of the API reference that it is listed below; default: `Site` for a site's command. */
    group?: string;
    /** A payload that the command accepts. */
    example?: FromSchema<P>;
    /** Method and path prefix. One module owns a method of a path. */
    route: Route;
    /** Further names for steps of procedures. */
    aliases?: readonly string[];
    /** JSON Schema of the JSON response, for the API reference. */
    returns?: object;
    /** Media type of a text response, for the API reference. */
    mediaType?: string;
    /** Deletes or ends something: programs should ask before they send it. */
    destructive?: true;
    /** Programs must not send it unasked, scripts included: `fleet` requires `--yes` of them. */
    needsConsent?: true;
    /** Copies images: long, and heavy for the network. */
    imaging?: true;
    /** Where it succeeds, somebody has seen the failures of the client: `GET /failures` lists them no more. */
    endsFailures?: true;
    /** Its answer takes long where there is much data: of one caller two are computed at a time, and some more wait. */
    heavy?: true;
    /**
     * The role that callers need; `none` is served without a token, by exact path, a GET with `rest` also below it. Default: `read` for a GET, `operate`
     * for a POST that forwards or acts, `admin` for any other POST.
     */
    access?: Access;
    /** Limited callers may use it without `clients` or `client`: it concerns no computers, or asks `request.rights`. */
    scoped?: true;
    /** Served without a token, by exact path, while this option of section `rest` is true. */
    openOption?: 'open_metrics';
    /** The token may also come as `?token=`, by exact path: for callers that cannot set a header. */
    queryToken?: true;
    /** Browsers may use their own login (Basic) here, by exact path: only for a page that changes nothing. */
    browserLogin?: true;
    /** Browsers that ask for `/` are led here. */
    startPage?: true;
    /** Also serves the paths below its route: `request.rest` has what follows the route. */
    rest?: true;
    /** JSON Schema of the caller's body. A command without one ignores the body. */
    payload?: P;
    /** The key of the payload with the address of the computer whose record it writes, for the log and the audit log. */
    computerKey?: string;
    /** A key of the payload: a request in which it is true changes nothing, so it is not logged as a write. */
    previewKey?: string;
    /** Default with a schema: `required`. `optional`: an absent body is `{}`. `none`: a body is refused. */
    body?: 'required' | 'optional' | 'none';
    /** JSON Schema of the query, whose values are strings; a repeated key has its values joined with commas. */
    query?: Q;
    /** Why a caller whose rights are limited may not: asked before `accept`, and before a run or a retry. */
    checkRights?(context: CheckContext<FromSchema<P>> & Pick<Request, 'rights'>): Awaitable<Refusal | undefined>;
    /** Called once per job, before anything is sent: returns the payload to store and send, or a refusal. */
    accept?(context: AcceptContext<FromSchema<P>>): Awaitable<FromSchema<P> | Refusal>;
    /** Returns the response: an object for 200 with JSON, nothing for an empty 200, a text, or a refusal. */
    answer?(context: AnswerContext<FromSchema<P>, Query<Q>>): Awaitable<object | TextResponse | Refusal | undefined | void>;
    /** Why clients are skipped, by address: asked before it is sent, and for `?dry_run=1`. What is not known is no reason. */
    preflight?(context: CheckContext<FromSchema<P>>): Awaitable<ReadonlyMap<string, string>>;
    /** What `?dry_run=1` shows of each client in addition, by address. */
    preview?(context: CheckContext<FromSchema<P>>): Awaitable<ReadonlyMap<string, object>>;
    /** What the daemon itself does for one of `clients`. When it throws, only that client fails. */
    act?(context: ActContext<FromSchema<P>>): Awaitable<Outcome>;
    /** How the accepted payload is sent to the agents of `clients`. */
    forward?: Forward<FromSchema<P>, R>;
}
/** The parsed query: typed by the schema, else any string by key. */
export type Query<Q> = Q extends undefined ? Readonly<Record<string, string>> : FromSchema<Q>;
export interface CheckContext<Payload> {
    payload: Payload;
    services: Services;
}
export interface AcceptContext<Payload> extends CheckContext<Payload> {
    /** Absent for steps of tasks, procedures and schedules. */
    request?: Request;
}
export interface AnswerContext<Payload, QueryOf = Readonly<Record<string, string>>> extends CheckContext<Payload> {
    request: Request<QueryOf>;
}
export interface ActContext<Payload> extends CheckContext<Payload> {
    client: Pick<Client, 'addr'>;
}
export interface ReplyContext<Reply, Payload> extends CheckContext<Payload> {
    reply: Reply;
    client: Client;
}
export type CheckReplyContext<Reply, Payload> = Omit<ReplyContext<Reply, Payload>, 'client'>;
export interface Forward<Payload = unknown, R = undefined> {
    to: Route;
    /** The forwarded object; default: the accepted payload without `clients`. An empty object is sent as no body. */
    body?: 'none' | ((context: CheckContext<Payload>) => object);
    /** Seconds until the command fails when no reply came; default 900. The option `deadlines` overrides it. */
    deadline?: number;
    /** Also sent to a client that has a last command, which it ends. */
    whileBusy?: true;
    /** `false`: the displayed state does not become BSY. */
    showsBusy?: false;
    /** `false`: agents never reply to it; it is a success when it is written. */
    expectsReply?: false;
    /** A success also when the agent closes its connection. */
    endsOnClose?: true;
    /** A 202 with a body is the reply, not only the promise of one. */
    endsOn202?: true;
    /** Sent to each agent when it has connected. */
    onConnect?: true;
    /** The agent writes the file of the image that the payload's `name` and `repository` mean. */
    createsImage?: true;
    /** Sent to an agent before its queued parts; any reply opens the queue. */
    beforeQueue?: true;
    /** What a status means with which an agent refuses this command, for the reason of the failure, by status. */
    statusReasons?: Readonly<Record<number, string>>;
    /** JSON Schema of the agent's reply; a reply that does not match is a failure. */
    reply?: R;
    /**
     * Refuses a reply that matches the schema but does not belong to the payload: an agent that was sent id 2 replies with
     * id 1. It is a failure of that client with the reason `reply not understood: …`, and `onReply` is not called.
     */
    checkReply?(context: CheckReplyContext<FromSchema<R>, Payload>): Refusal | undefined;
    /**
     * Stores a reply that has a body. Resolves to `false` when the address has no computer record and nothing was stored,
     * and to a failure when the reply says that the command failed on the client: what was stored stays.
     */
    onReply?(context: ReplyContext<FromSchema<R>, Payload>): Awaitable<boolean | void | ReplyFailure>;
}
}

declare module 'fleet-host/host/contract/computers-services' {
import type { importReport } from 'fleet-host/commands/_schemas/computer-import';
import type { Computer, ComputerValues, HardwareItem, New, Place, Repository, Room, Software } from 'fleet-host/stores/store';
import type { FromSchema, InventoryReply } from 'fleet-host/host/contract/from-schema';
import type { Client, Refusal, Rights } from 'fleet-host/host/contract/request';
export interface InventoryService {
    /** Stores the disks and the serial number of a reply, and sets speed and status. False: there is no computer record. */
    refresh(reply: InventoryReply, client: Client): Promise<boolean>;
    /** Refuses a reply with `id: expected 2, got 1` for the first number in digits of `sent` that is another one there. */
    compareIds(sent: Readonly<Record<string, string>>, reply: Readonly<Record<string, unknown>>): Refusal | undefined;
    /** Parses lines of the form `cpu=Some processor`. */
    parseHardware(lines: string): HardwareItem[];
    /** Parses a list whose first line names the operating system. */
    parseSoftware(lines: string): Software;
}
/** The keys of `client/add`: four required keys, the others have defaults. */
export type NewComputer = Pick<Computer, 'name' | 'ip' | 'mac' | 'room'> & ComputerValues;
/** Which clients become computers of a room; `names` and `macs` are by address and precede what the agents say. */
export interface Adoption {
    clients: string[];
    /** Its id. */
    room: number;
    names?: Readonly<Record<string, string>>;
    macs?: Readonly<Record<string, string>>;
}
/** A list of computers; the keys of `client/import`. */
export interface ImportRequest {
    format: 'csv' | 'dhcpd';
    text: string;
    /** The room of computers whose row names none. */
    room?: number;
    /** Changes existing computers, found by hardware address or else by address, to the values that their rows have. */
    update?: boolean;
    /** Stores nothing. */
    dry_run?: boolean;
}
/** The result of an import. Nothing is stored when there is a conflict. */
export type ImportReport = FromSchema<typeof importReport>;
export type ImportRow = NonNullable<ImportReport['rows']>[number];
export interface ComputersService {
    /** Adds a computer, and its boot files when its boot mode has a template. */
    add(computer: NewComputer): Promise<Refusal | undefined>;
    /** Gives connected clients without a record one: all or, with a refusal, none. */
    adopt(adoption: Adoption): Promise<Refusal | undefined>;
    /** Updates a computer and its boot files. */
    update(ip: string, change: ComputerValues): Promise<Refusal | undefined>;
    /** Gives computers a place, or none with null: all or, when one is unknown, none. */
    arrange(places: {
        client: string;
        place: Place | null;
    }[]): Promise<Refusal | undefined>;
    /** Updates a room and the boot files of its computers. */
    updateRoom(id: number, change: Partial<New<Room>>): Promise<Refusal | undefined>;
    /** Updates a repository and the boot files of the computers that use it. */
    updateRepository(id: number, change: Partial<New<Repository>>): Promise<Refusal | undefined>;
    /** Moves computers to a room and updates their boot files: all or, when one is unknown, none. */
    move(clients: string[], room: number): Promise<Refusal | undefined>;
    /** To be called after records were deleted: drops outputs and queued parts, and removes boot files. */
    cleanUp(computers: Computer[]): Promise<void>;
    /** Adds all computers of the text and changes existing ones, or does nothing. */
    import(request: ImportRequest): Promise<ImportReport | Refusal>;
    /** All computers within the limits as CSV. */
    export(rights: Rights): Promise<string>;
}
export interface BootService {
    /** The names of the boot modes, sorted. */
    modes(): Promise<string[]>;
    /** Sets the boot mode of the computers and writes their boot files: all or none. Unknown addresses are skipped. */
    setMode(clients: string[], mode: string): Promise<Refusal | undefined>;
    /** Sets the live system of the computers and writes the boot files of those whose mode has a template. */
    setLiveSystem(clients: string[], livedir: string): Promise<Refusal | undefined>;
    /** The boot files that a computer would have in a mode. */
    preview(client: string, mode: string): Promise<{
        path: string;
        content: string;
    }[] | Refusal>;
    /** The live systems of option `boot.oglives`, and the index of the default one. */
    liveSystems(): Promise<{
        default: number;
        oglive: object[];
    }>;
}
}

declare module 'fleet-host/host/contract/from-schema' {
import type { sharedSchemas } from 'fleet-host/host/contract/shared-schemas';
/** The schemas that every module may name with `$ref`. */
type SharedSchemas = typeof sharedSchemas;
/** The reply to refresh and setup. */
export type InventoryReply = FromSchema<SharedSchemas['inventory']>;
/** A disk or partition as agents report it. */
export type DiskEntry = NonNullable<InventoryReply['disk_setup']>[number];
type RequiredKeys<S> = S extends {
    required: readonly (infer K)[];
} ? K : never;
/** The types of texts, numbers and the like, by the `type` of their schema. */
interface SimpleTypes {
    string: string;
    integer: number;
    number: number;
    boolean: boolean;
    null: null;
}
/**
 * The type of the values that match a JSON Schema, which is written `as const`. `Root`: the schema around it, whose
 * `definitions` it may name.
 */
export type FromSchema<S, Root = S> = S extends {
    $ref: infer Name extends keyof SharedSchemas;
} ? FromSchema<SharedSchemas[Name]> : S extends {
    $ref: `#/definitions/${infer Name}`;
} ? FromSchema<Definition<Root, Name>, Root> : S extends {
    enum: readonly (infer Value)[];
} ? Value : S extends {
    type: readonly (infer Type)[];
} ? Type extends string ? FromSchema<Omit<S, 'type'> & {
    type: Type;
}, Root> : never : S extends {
    type: infer Type extends keyof SimpleTypes;
} ? SimpleTypes[Type] : S extends {
    type: 'array';
    items: infer Item;
} ? FromSchema<Item, Root>[] : S extends {
    type: 'object';
    properties: infer Of;
} ? {
    -readonly [K in keyof Of as K extends RequiredKeys<S> ? K : never]: FromSchema<Of[K], Root>;
} & {
    -readonly [K in keyof Of as K extends RequiredKeys<S> ? never : K]?: FromSchema<Of[K], Root>;
} : S extends {
    anyOf: readonly (infer Form)[];
} ? FromSchema<Form, Root> : S extends {
    type: 'object';
} ? Record<string, unknown> : S extends undefined ? undefined : unknown;
type Definition<Root, Name extends string> = Root extends {
    definitions: Record<Name, infer Found>;
} ? Found : never;
export {};
}

declare module 'fleet-host/host/contract/images-services' {
import type { payload } from 'fleet-host/commands/_schemas/image-create';
import type { binEntry, imageVersion } from 'fleet-host/commands/_schemas/image-files';
import type { Image } from 'fleet-host/stores/store';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { PartProgress } from 'fleet-host/host/contract/jobs-services';
import type { Client, Refusal, ReplyFailure, Rights } from 'fleet-host/host/contract/request';
/** A file of the image repository, in the words of `GET /images`. */
export type ImageFile = Omit<ImageVersion, 'name' | 'version' | 'check'>;
export interface RepositoryService {
    /** The address of this server: the address of repository 1. */
    address: string;
    /** Whether an image may have this name: a file name without a path separator or NUL, not `.` or `../..`. */
    isValidName(name: string): boolean;
    /** The file of an image, undefined when it does not exist or is not a regular file. */
    file(name: string): Promise<ImageFile | undefined>;
    /** Bytes of the filesystem that holds the repository. */
    disk(): Promise<{
        total: number;
        free: number;
    }>;
}
/** Images, their files and their repositories. */
export interface ImagesService extends RepositoryService, ImageFilesService {
    /** The address of a repository, undefined for an unknown id. */
    addressOf(repository: number): Promise<string | undefined>;
    /** The repository that images of this address are recorded with: 1 when it is that of none. */
    idOf(address: string): Promise<number>;
    /**
     * The id for an image that command `by` is going to create: of a new record, or of a record that has no file.
     * Undefined when the name is taken, also by a running create.
     */
    reserve(by: string, image: NewImage): Promise<number | undefined>;
    /** A refusal of a name and an id that do not mean one image: of `found`, which has the name, or of an unknown id. */
    checkIdentity(payload: {
        name: string;
        id: string;
    }, found: Image | undefined): Promise<Refusal | undefined>;
    /** A refusal with 403 of a limited caller's image that would be written into one of others. */
    checkOwner(payload: CreationTarget, rights: Rights): Promise<Refusal | undefined>;
    /** Which versions of all images, or of one, are how often on the computers of a caller: as `GET /image/stats`. */
    stats(rights: Rights, image?: number, after?: string): Promise<object | Refusal>;
    /** How far the running parts of a job are, of those that copy images and whose logs report it. */
    progressOf(job: number): readonly PartProgress[];
}
/** An older file of an image. */
export type ImageVersion = FromSchema<typeof imageVersion>;
export type ImageCheck = ImageVersion['check'];
/** Deleted files, which are kept for some days. */
export type BinEntry = FromSchema<typeof binEntry>;
/** The files of images in the folder of this server. */
export interface ImageFilesService {
    /**
     * To be called before an agent creates an image: keeps an older file of that name as a version. Returns why the agent
     * must not be sent the request. Does nothing for a repository of another server.
     */
    beginCreation(addr: string, payload: unknown): string | undefined;
    /** To be called when it has ended: after a failure the image has its older file again. */
    endCreation(payload: unknown, result: 'success' | 'failure'): void;
    /**
     * To be called when the agent has replied that it has created the image: its new version and the time for the store.
     * A failure when the file or its checksum is missing or empty.
     */
    created(image: CreatedFile): Promise<{
        version: number;
        at: number;
    } | ReplyFailure>;
    /** The version that a name means in `image/restore`, 0 when that is not known, and the time for the store. */
    restored(image: Pick<CreatedFile, 'id' | 'name'>): Promise<{
        version: number;
        at: number;
    }>;
    /** Of these images, which must be all, those that have a file: the file, its check and older versions, newest first. */
    read(names: readonly string[]): Promise<Map<string, ImageFile & {
        check: ImageCheck;
        versions: ImageVersion[];
    }>>;
    /** The image that has this name, or a version of this name. */
    find(name: string): Promise<Image | undefined>;
    /** Queues a check of the file of an image, or of one of its versions. */
    check(image: Image, version?: number): Promise<Refusal | undefined>;
    /** Moves the files of an image and of its versions, or of one version only, to the bin. */
    delete(image: Image, version?: number): Promise<Refusal | undefined>;
    /** The newest entry first. */
    bin(): Promise<BinEntry[]>;
    /** Brings files back: an image with a new id, or a version; resolves to the name. A refusal when that is not possible. */
    undelete(entry: number): Promise<{
        name: string;
        image?: number;
    } | Refusal>;
    /** Removes files of the bin for good. */
    purge(entry: number): Promise<Refusal | undefined>;
}
/** As `image/create` has them; `repository` is an address. */
export interface CreatedFile {
    id: number;
    name: string;
    repository: string;
}
/** An image that is going to be created; `repository` is an address. */
export interface NewImage {
    name: string;
    description: string;
    repository: string;
    group_id?: number;
    center_id?: number;
    /** The room that it belongs to, in place of a center. */
    room_id?: number;
}
/** What an image is created as. */
export type CreationTarget = Pick<FromSchema<typeof payload>, 'name' | 'description' | 'repository' | 'repository_id'>;
/** Scripts for the image cache of live systems, which `POST /shell/run` of agents runs. */
export interface CachesService {
    /** Prints the space of the cache, and bytes and name of each image. */
    listScript: string;
    deleteScript(names: readonly string[]): string;
    /** `repository` is an address. */
    fetchScript(image: {
        name: string;
        repository: string;
        type: string;
    }): string;
    /** Stores the output without its last line, which says how the script ended. */
    readOutput(reply: {
        out?: string;
    }, client: Pick<Client, 'setOutput'>): ReplyFailure | undefined;
}
}

declare module 'fleet-host/host/contract/jobs-services' {
import type { drainState } from 'fleet-host/commands/_schemas/drain';
import type { progress, waiting } from 'fleet-host/commands/_schemas/jobs';
import type { JobFilter, Step, Task } from 'fleet-host/stores/store';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { Caller, Refusal, Rights } from 'fleet-host/host/contract/request';
/** How far a part that copies an image is; `step`: index in the job's steps. */
export type PartProgress = FromSchema<typeof progress> & {
    client: string;
    step: number;
};
/** Why a queued part waits although its client could take it. */
export type PartWait = FromSchema<typeof waiting>;
export interface JobsService extends JobRuns, JobReads {
}
/** What callers read of jobs. */
export interface JobReads {
    /** The newest jobs first, of a limited caller those with its computers, in the words of `GET /jobs`. */
    list(filter: Omit<JobFilter, 'clients'>, rights: Rights): Promise<object[]>;
    /** One job with a page of its parts, those after the index `after`; with `client` only of that, with outputs. */
    read(id: string, page: {
        client?: string | undefined;
        after: number;
    }, rights: Rights): Promise<object | Refusal>;
    /** What became of each computer of a job, in the words of `GET /job/report`. */
    report(query: ReportQuery, rights: Rights): Promise<object | Refusal>;
}
export interface JobRuns {
    /** The steps with aliases replaced by command names, or a refusal that names the first invalid step. */
    checkSteps(steps: Step[]): Step[] | Refusal;
    /**
     * Resolves to the id of the new job, which records the caller. Computers in maintenance are skipped. A refusal with 403
     * when the caller could not send the commands of all steps to all computers itself, as for `runProcedure`.
     */
    runTask(task: number, caller: Caller): Promise<number | Refusal>;
    /** Resolves to the id of the new job, which records the caller. */
    runProcedure(procedure: number, clients: string[], caller: Caller): Promise<number | Refusal>;
    /**
     * Cancels the queued parts of a job, of a limited caller those within the limits; returns how many. A refusal when the
     * job is unknown or has no part within them.
     */
    cancel(job: number, caller: Caller): Promise<number | Refusal>;
    /**
     * Resolves to the id of the new job, of a limited caller with the parts within the limits. A refusal when the job is
     * unknown or has no such parts. `wake`: clients whose parts are queued are woken.
     */
    retry(job: number, only: 'failed' | 'all', caller: Caller, wake?: boolean): Promise<number | Refusal>;
    /** Why queued parts of a job wait, by their indexes; only of clients of this host that could take them. */
    waitsOf(job: number): Promise<ReadonlyMap<number, PartWait>>;
    /** Whether all computers that the task is for are within the limits. */
    isInside(task: Pick<Task, 'center' | 'scope' | 'clients'>, rights: Rights): Promise<boolean>;
}
export interface ReportQuery {
    /** Of the job, in digits. */
    id: string;
    /** The command whose success means that a computer has the image. */
    restoredBy: string;
    /** Only computers that do not have it, or not confirmed. */
    onlyMissing: boolean;
    /** Computers after so many. */
    after: number;
}
/** A command that has failed on a client. `ended`: milliseconds since 1970. */
export interface FailureEntry {
    client: string;
    command: string;
    job: number;
    reason: string;
    ended: number;
}
export interface FailuresService {
    /**
     * Commands of jobs that have failed on a client and have neither succeeded there since, nor has a command with
     * `endsFailures`. As far as jobs are kept; of the whole fleet.
     */
    list(): Promise<FailureEntry[]>;
}
/** Before a restart of the daemon. */
export interface DrainService {
    /** From now on commands for clients are refused and queued parts stay queued, until `cancel` or the daemon's end. */
    start(): void;
    cancel(): void;
    state(): DrainState;
}
export type DrainState = FromSchema<typeof drainState>;
}

declare module 'fleet-host/host/contract/modules-services' {
import type { commandFile } from 'fleet-host/commands/_schemas/command-file';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { Request, TextResponse } from 'fleet-host/host/contract/request';
export interface ModulesService {
    /** Every command file, built-in ones first. */
    list(): ModuleEntry[];
    /** Commands that only other hosts of the fleet have; undefined in a daemon that runs alone. */
    elsewhere?(): {
        command: string;
        hosts: string[];
    }[];
}
/** The API reference of the commands in service. */
export interface ApiDocsService {
    /** An OpenAPI 3.1 document. */
    openapi(): object;
    /** The same as JSON: the same bytes until a command changes. */
    json(): Uint8Array;
    /** An HTML page that shows the document and loads nothing else. */
    page(): TextResponse;
}
/** The page that shows the fleet in a browser. */
export interface ConsoleService {
    /** The page, or one of its files for the parts of the path after the route; an unknown file is 404. */
    respond(rest: readonly string[], request: Pick<Request, 'header'>): Promise<TextResponse>;
}
/** A command file; `route`, `forward`, `version` and `loaded_at` describe the version in service, if there is one. */
export type ModuleEntry = FromSchema<typeof commandFile>;
}

declare module 'fleet-host/host/contract/plans-service' {
import type { payload } from 'fleet-host/commands/_schemas/planned-restores';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
import type { Caller, Refusal, Request } from 'fleet-host/host/contract/request';
/** The keys of `image/plan`. */
export type NewRestore = FromSchema<typeof payload>;
/** `command`: the one that restores an image. */
export interface PlansService {
    /** What it does, as `POST /image/plan` says it, with the ids of the new task and schedule; a new job's is in the request. */
    add(command: string, restore: NewRestore, request: Caller & Pick<Request, 'job'>): Promise<object | Refusal>;
    /** In the words of `GET /image/plans`; of a limited caller those whose schedules it has. */
    list(command: string, caller: Caller): Promise<object[]>;
    /** By the id of its schedule. What something else names stays. */
    remove(schedule: number, caller: Caller): Promise<Refusal | undefined>;
}
}

declare module 'fleet-host/host/contract/preflight-service' {
import type { content } from 'fleet-host/commands/_schemas/planned-restores';
import type { FromSchema } from 'fleet-host/host/contract/from-schema';
/** Why clients cannot be sent a command, by address. What is not known is no reason. */
export type Obstacles = Map<string, string>;
/** A partition of some clients, and the name of an image or of a version of it. */
export interface ImageTarget {
    clients: readonly string[];
    disk: string;
    partition: string;
    name: string;
}
/** `repository` is an address. */
export type CreateTarget = ImageTarget & {
    repository?: string;
    code: string;
};
/** `overwrite: false`: computers with another system there are obstacles. */
export type RestoreTarget = ImageTarget & {
    repository: string;
    type: string;
    overwrite?: boolean;
};
/** The keys of `setup`. */
export interface SetupTarget {
    clients: readonly string[];
    type: string;
    disk: string;
    cache: string;
    cache_size: string;
    partition_setup: unknown[];
}
/** What one computer has in a partition. */
export type Content = Omit<FromSchema<typeof content>, 'computers'>;
export interface PartitionContents {
    /** The system of the image, '' when it is not known. */
    system: string;
    /** By address; of computers that are known to have the partition. */
    byClient: Map<string, Content>;
}
export interface PreflightService {
    create(target: CreateTarget): Promise<Obstacles>;
    /** `waits`: until nobody is logged in, which is no obstacle then. */
    restore(target: RestoreTarget, waits?: boolean): Promise<Obstacles>;
    setup(target: SetupTarget): Promise<Obstacles>;
    /** What a restore would overwrite. */
    contents(target: ImageTarget): Promise<PartitionContents>;
}
}

declare module 'fleet-host/host/contract/request' {
/** What a command asks of its callers; each includes the ones before. */
export type Access = 'none' | 'read' | 'operate' | 'admin';
/** What a caller may do: that of a request, or of who made a schedule. */
export interface Rights {
    /** For people: with jobs, in events and in the audit log. `admin`, `token lab`, `user anna`. */
    readonly name: string;
    /** For stored rows: `admin`, `token:7`, `user:3`; '' for callers without a token. */
    readonly reference: string;
    readonly role: Access;
    /** The caller may only use the computers of some rooms. */
    readonly isLimited: boolean;
    /** Whether the computer is within the limits. A limited caller has no address without a record. */
    hasClient(addr: string): boolean;
    hasRoom(id: number): boolean;
    /** Whether all rooms of the center are within the limits. */
    hasCenter(id: number): boolean;
    /** Whether a room of the center, or the center itself, is within the limits. */
    reachesCenter(id: number): boolean;
}
/** The request that a command answers, besides its payload. */
export interface Request<Query = Readonly<Record<string, string>>> {
    /** The parts of the path after the route; empty unless the module has `rest: true`. */
    rest: readonly string[];
    /** The query's values by key, checked by the module's schema `query`; a repeated key has its values joined with commas. */
    query: Query;
    /** The value of a header, '' when it is absent. */
    header(name: string): string;
    /** Sets the response header `X-Job-Id`. */
    job(id: number): void;
    /** Sets the response header `X-Id`: the id of what was added. */
    created(id: number): void;
    /** Sets the response header `X-Warning` of an accepted request, for something that will not work as the caller expects. */
    warn(text: string): void;
    /** For a command that logs in: who the caller turned out to be, for the audit log. */
    identify(name: string): void;
    /** The caller's address. */
    readonly caller: string;
    readonly rights: Rights;
    /** The request came over TLS. */
    readonly isSecure: boolean;
    /** Where the caller's connection has reached this server. */
    readonly server: {
        readonly address: string;
        readonly port: number;
    };
    /** Aborted when the caller has closed the connection or has received the whole response. */
    readonly signal: AbortSignal;
    /** Closes the caller's connection at once and logs the reason. */
    disconnect(reason: string): void;
}
/** The client whose agent has replied. */
export interface Client {
    addr: string;
    /** Sets the status by the agent's word, see the shared schema `status`. */
    setStatus(word: string): void;
    /** Mbit/s. */
    setSpeed(speed: number): void;
    /** Stores what a script printed, cut at `limits.output` characters: for `POST /shell/output` and for the job. */
    setOutput(output: string): void;
}
export interface Outcome {
    result: 'success' | 'failure' | 'skipped';
    reason?: string;
}
/** The failure of one client; `reason` is for its part of the job. */
export interface ReplyFailure {
    result: 'failure';
    reason: string;
}
/** Made by `services.refuse`: the caller gets the status with an empty body, the log gets the reason. */
export interface Refusal {
    readonly refused: string;
    readonly status: RefusalStatus;
}
/** 401 is for commands that log in, 403 for callers without the right, 429 for what exceeds a limit for now. */
export type RefusalStatus = 400 | 401 | 403 | 429;
/** Made by `services.text`: a response that is not JSON. */
export interface TextResponse {
    readonly status: number;
    /** The media type. */
    readonly type: string;
    readonly body: string | Uint8Array | AsyncIterable<string>;
    readonly headers: Readonly<Record<string, string | string[]>>;
}
/** Who asks for work: a request is one. */
export type Caller = Pick<Request, 'caller' | 'rights'>;
}

declare module 'fleet-host/host/contract/schedules-service' {
import type { Masks, Schedule } from 'fleet-host/stores/store';
import type { Caller, Refusal, Request } from 'fleet-host/host/contract/request';
/** A schedule of a caller; `at`: it fires once, in this minute. Without `when` and `at` it fires at once. */
export type NewSchedule = Pick<Schedule, 'type' | 'task' | 'name' | 'suspended' | 'plan'> & {
    when?: Masks;
    at?: Date;
};
/** The time in an update of a schedule, where `weeks` and `week_days` are optional. */
export type MasksChange = Omit<Masks, 'weeks' | 'week_days'> & Partial<Masks>;
/** An update of a schedule: absent keys keep their values. Without `when` it fires at once. */
export type ScheduleChange = Pick<Schedule, 'task' | 'name' | 'type'> & Partial<Pick<Schedule, 'suspended'>> & {
    when?: MasksChange;
};
/**
 * A limited caller has the schedules that it made and those whose computers are all within its limits; for any other id,
 * known or not, it gets a refusal with 403. A refusal with 403 also when a caller could not run the target itself.
 */
export interface SchedulesService {
    list(caller: Caller): Promise<Schedule[]>;
    /** Resolves to the id of the new schedule, which runs with the rights that the caller has then. */
    create(schedule: NewSchedule, caller: Caller): Promise<number | Refusal>;
    /** Stores a command with its clients, and a schedule for it; resolves to the id of the schedule. */
    createScheduledCommand(scheduled: {
        clients: string[];
        command: string;
        params: Record<string, unknown>;
        when?: Masks;
    }, caller: Caller): Promise<number | Refusal>;
    /** The schedule runs with the rights of the caller from now on. A refusal for an unknown id. */
    update(id: number, change: ScheduleChange, caller: Caller): Promise<Refusal | undefined>;
    /** Warns of a schedule that names something which does not exist, or of whose times, if it has any, none is to come. */
    warn(id: number, when: object | undefined, request: Pick<Request, 'warn'>): Promise<void>;
    /** A refusal for an unknown id. */
    delete(id: number, caller: Caller): Promise<Refusal | undefined>;
    /** The ISO times at which it fires next; a refusal for an unknown id. */
    next(id: number, count: number, caller: Caller): Promise<string[] | Refusal>;
    /** The ISO time of the last run that did not take place, as this daemon knows it since its start; none after a later run. */
    missed(id: number): string | undefined;
}
}

declare module 'fleet-host/host/contract/services' {
import type { Store } from 'fleet-host/stores/store';
import type { AccessService, AuditService } from 'fleet-host/host/contract/access-services';
import type { AgentProgramService, FleetService, HostsService, PendingService, SessionsService, WakeService } from 'fleet-host/host/contract/agents-services';
import type { BootService, ComputersService, InventoryService } from 'fleet-host/host/contract/computers-services';
import type { CachesService, ImageFilesService, ImagesService, RepositoryService } from 'fleet-host/host/contract/images-services';
import type { DrainService, FailuresService, JobsService } from 'fleet-host/host/contract/jobs-services';
import type { ApiDocsService, ConsoleService, ModulesService } from 'fleet-host/host/contract/modules-services';
import type { PlansService } from 'fleet-host/host/contract/plans-service';
import type { PreflightService } from 'fleet-host/host/contract/preflight-service';
import type { Refusal, RefusalStatus, TextResponse } from 'fleet-host/host/contract/request';
import type { SchedulesService } from 'fleet-host/host/contract/schedules-service';
import type { BackupService, EventsService, HealthService, MetricsService } from 'fleet-host/host/contract/system-services';
export type * from 'fleet-host/host/contract/access-services';
export type * from 'fleet-host/host/contract/agents-services';
export type * from 'fleet-host/host/contract/computers-services';
export type * from 'fleet-host/host/contract/from-schema';
export type * from 'fleet-host/host/contract/images-services';
export type * from 'fleet-host/host/contract/jobs-services';
export type * from 'fleet-host/host/contract/modules-services';
export type * from 'fleet-host/host/contract/plans-service';
export type * from 'fleet-host/host/contract/preflight-service';
export type * from 'fleet-host/host/contract/request';
export type * from 'fleet-host/host/contract/schedules-service';
export type * from 'fleet-host/host/contract/system-services';
/** What every command is handed. */
export interface Services {
    store: Store;
    fleet: FleetService;
    sessions: SessionsService;
    pending: PendingService;
    wake: WakeService;
    inventory: InventoryService;
    images: ImagesService;
    /** Both are the same as `images`. */
    repository: RepositoryService;
    imageFiles: ImageFilesService;
    caches: CachesService;
    preflight: PreflightService;
    plans: PlansService;
    computers: ComputersService;
    boot: BootService;
    modules: ModulesService;
    hosts: HostsService;
    jobs: JobsService;
    failures: FailuresService;
    schedules: SchedulesService;
    drain: DrainService;
    backup: BackupService;
    health: HealthService;
    metrics: MetricsService;
    events: EventsService;
    apiDocs: ApiDocsService;
    console: ConsoleService;
    agentProgram: AgentProgramService;
    access: AccessService;
    audit: AuditService;
    slices: SlicesService;
    /** Writes log lines that begin with the command's file. */
    log: CommandLog;
    /** Aborted when this version of the command file is no longer in service: timers and streams should end then. */
    signal: AbortSignal;
    /** `status` is 400 by default. */
    refuse(reason: string, status?: RefusalStatus): Refusal;
    isRefusal(value: unknown): value is Refusal;
    /** `status` is 200 by default. The response limit applies to JSON only. */
    text(type: string, body: string | Uint8Array | AsyncIterable<string>, status?: number, headers?: TextResponse['headers']): TextResponse;
}
/** Long work in slices of some milliseconds, between which other requests are served. */
export interface SlicesService {
    /** To be awaited after each step of long work: undefined while the time slice lasts, then a promise for the next one. */
    pause(): Promise<void> | undefined;
    forEach<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void>;
    /** Resolves to a sorted copy; equal items keep their order. */
    sort<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Promise<Item[]>;
}
export interface CommandLog {
    info(text: string): void;
    warn(text: string): void;
    /** For bugs and store faults: the line is followed by the error's stack. */
    error(text: string, error?: unknown): void;
}
}

declare module 'fleet-host/host/contract/shared-schemas' {
/** By the names that commands use in `$ref`. */
export const sharedSchemas: {
    readonly clients: {
        readonly type: 'array';
        readonly minItems: 1;
        readonly items: {
            readonly $ref: 'ipv4';
        };
        readonly description: string;
    };
    /** As `clients`, in reads: the first address is used. */
    readonly client: {
        readonly type: 'array';
        readonly minItems: 1;
        readonly items: {
            readonly $ref: 'ipv4';
        };
        readonly description: string;
    };
    readonly ipv4: {
        readonly type: 'string';
        readonly format: 'ipv4';
        readonly description: 'four numbers from 0 to 255 with dots between them';
        readonly examples: readonly ['10.1.1.20'];
    };
    readonly id: {
        readonly type: 'string';
        readonly pattern: '^[0-9]{1,15}$';
        readonly description: 'a string of digits';
    };
    readonly place: {
        readonly type: 'string';
        readonly pattern: '^[0-9]{1,4}$';
        readonly description: 'the number of a disk or partition, 0 to 9999';
    };
    /** Mbit/s. */
    readonly speed: {
        readonly type: 'integer';
        readonly minimum: number;
        readonly maximum: number;
    };
    readonly netmask: {
        readonly type: 'string';
        readonly format: 'netmask';
        readonly description: 'an IPv4 netmask';
    };
    readonly status: {
        readonly type: 'string';
        readonly pattern: '^(OPG|BSY|VDI|LINUX.*|WIN.*)$';
        readonly description: 'OPG, BSY, VDI, LINUX or WIN';
    };
    /** The reply to refresh and setup. */
    readonly inventory: {
        readonly type: 'object';
        readonly properties: {
            readonly disk_setup: {
                readonly type: 'array';
                readonly maxItems: number;
                readonly items: {
                    readonly type: 'object';
                    readonly required: readonly ['disk', 'partition', 'code', 'filesystem', 'os', 'size', 'used_size'];
                    readonly properties: {
                        readonly disk: {
                            readonly type: 'string';
                            readonly pattern: '^[0-9]{1,4}$';
                            readonly description: 'the number of a disk or partition, 0 to 9999';
                        };
                        readonly partition: {
                            readonly type: 'string';
                            readonly pattern: '^[0-9]{1,4}$';
                            readonly description: 'the number of a disk or partition, 0 to 9999';
                        };
                        readonly code: {
                            readonly type: 'string';
                        };
                        readonly filesystem: {
                            readonly type: 'string';
                        };
                        readonly os: {
                            readonly type: 'string';
                        };
                        readonly size: {
                            readonly type: 'string';
                        };
                        readonly used_size: {
                            readonly type: 'string';
                        };
                        readonly disk_type: {
                            readonly type: 'string';
                        };
                    };
                };
            };
            readonly partition_setup: {
                readonly type: 'array';
                readonly maxItems: number;
                readonly items: {
                    readonly type: 'object';
                    readonly required: readonly ['disk', 'partition', 'code', 'filesystem', 'os', 'size', 'used_size'];
                    readonly properties: {
                        readonly disk: {
                            readonly type: 'string';
                            readonly pattern: '^[0-9]{1,4}$';
                            readonly description: 'the number of a disk or partition, 0 to 9999';
                        };
                        readonly partition: {
                            readonly type: 'string';
                            readonly pattern: '^[0-9]{1,4}$';
                            readonly description: 'the number of a disk or partition, 0 to 9999';
                        };
                        readonly code: {
                            readonly type: 'string';
                        };
                        readonly filesystem: {
                            readonly type: 'string';
                        };
                        readonly os: {
                            readonly type: 'string';
                        };
                        readonly size: {
                            readonly type: 'string';
                        };
                        readonly used_size: {
                            readonly type: 'string';
                        };
                        readonly disk_type: {
                            readonly type: 'string';
                        };
                    };
                };
            };
            readonly serial_number: {
                readonly type: 'string';
            };
            readonly link: {
                readonly $ref: 'speed';
            };
            readonly status: {
                readonly $ref: 'status';
            };
        };
        readonly anyOf: readonly [{
            readonly required: readonly ['partition_setup'];
        }, {
            readonly required: readonly ['disk_setup'];
        }, {
            readonly required: readonly ['status'];
        }];
    };
    readonly steps: {
        readonly type: 'array';
        readonly items: {
            readonly anyOf: readonly [{
                readonly type: 'object';
                readonly required: readonly ['command', 'params'];
                readonly additionalProperties: false;
                readonly properties: {
                    readonly command: {
                        readonly type: 'string';
                        readonly description: 'name of a command that is for clients';
                    };
                    readonly params: {
                        readonly type: 'object';
                        readonly description: 'its payload without `clients`';
                    };
                };
            }, {
                readonly type: 'object';
                readonly required: readonly ['procedure'];
                readonly additionalProperties: false;
                readonly properties: {
                    readonly procedure: {
                        readonly type: 'integer';
                        readonly minimum: 1;
                        readonly description: `id of a ${string}`;
                    };
                };
            }];
        };
        readonly description: 'commands and procedures';
    };
    readonly taskSteps: {
        readonly type: 'array';
        readonly items: {
            readonly anyOf: readonly [{
                readonly type: 'object';
                readonly required: readonly ['procedure'];
                readonly additionalProperties: false;
                readonly properties: {
                    readonly procedure: {
                        readonly type: 'integer';
                        readonly minimum: 1;
                        readonly description: `id of a ${string}`;
                    };
                };
            }, {
                readonly type: 'object';
                readonly required: readonly ['task'];
                readonly additionalProperties: false;
                readonly properties: {
                    readonly task: {
                        readonly type: 'integer';
                        readonly minimum: 1;
                        readonly description: `id of a ${string}`;
                    };
                };
            }];
        };
        readonly description: 'procedures and tasks';
    };
    readonly when: {
        type: 'object';
        required: readonly ["years", "months", "days", "hours", "minutes", "am_pm", "weeks", "week_days"];
        properties: {
            years: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            months: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            weeks: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            week_days: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            days: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            hours: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            am_pm: {
                type: 'integer';
                minimum: 0;
                maximum: number;
                description: string;
            };
            minutes: {
                type: 'integer';
                minimum: 0;
                maximum: number;
                description: string;
            };
        };
        description: string;
    };
    /** An update, where `weeks` and `week_days` are optional. */
    readonly whenChanged: {
        type: 'object';
        required: readonly ["years", "months", "days", "hours", "minutes", "am_pm"];
        properties: {
            years: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            months: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            weeks: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            week_days: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            days: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            hours: {
                type: 'integer';
                minimum: 0;
                maximum: 4294967295;
                description: string;
            };
            am_pm: {
                type: 'integer';
                minimum: 0;
                maximum: number;
                description: string;
            };
            minutes: {
                type: 'integer';
                minimum: 0;
                maximum: number;
                description: string;
            };
        };
        description: string;
    };
};
}

declare module 'fleet-host/host/contract/system-services' {
import type { Refusal, Request } from 'fleet-host/host/contract/request';
export interface BackupService {
    /** The store as it is now, in the format of a backup file, in blocks of text. */
    blocks(): AsyncIterable<string>;
}
export interface HealthService {
    /** One line for each reason why the daemon cannot work; empty when it can. */
    problems(): Promise<string[]>;
    /** What an administrator should know of a daemon that works. */
    notes(): string[];
}
export interface MetricsService {
    /** The media type of `text`. */
    type: string;
    /** All metrics in the text format of Prometheus. */
    text(): Promise<string>;
}
/** Which events a reader gets: an event must match each list that is not empty. `after`: the id of the last event that it has, '' for none. */
export interface EventFilter {
    /** `job-created`, or `job` for all types that begin with it. */
    types: string[];
    /** Addresses. */
    clients: string[];
    /** Ids. */
    rooms: string[];
    after: string;
    /** Milliseconds: in this time only the newest `client-state` of a client, all other events at once. */
    coalesce?: string;
}
export interface EventsService {
    /** Server-sent events, until the caller disconnects or reads too slowly, its rights or session end, or the daemon stops. */
    read(filter: EventFilter, caller: Pick<Request, 'signal' | 'disconnect' | 'rights' | 'header' | 'isSecure'>): AsyncIterable<string> | Refusal;
}
/** The options' section `limits`: bytes, characters and seconds. */
export interface Limits {
    request: number;
    response: number;
    forward: number;
    output: number;
    answer_seconds: number;
    expiry_seconds: number;
    /** Seconds that the event loop may be blocked before the process is ended. */
    hang_seconds: number;
    /** Memory of the events that are kept for readers. */
    events_bytes: number;
    jobs_days: number;
    jobs_count: number;
    /** Months that the files of the audit log are kept, 0: for ever. */
    audit_months: number;
    /** Bytes that the outputs of all jobs may take. */
    outputs_bytes: number;
    /** Steps of one run of a task or procedure. */
    run_steps: number;
    /** Steps times clients of one run. */
    run_parts: number;
    /** Parts in the queue of the fleet, and those of one account. */
    waiting_parts: number;
    waiting_parts_per_caller: number;
    /** Connections of callers, loopback and others counted apart. */
    connections: number;
    connections_per_address: number;
}
}

declare module 'fleet-host/stores/account-methods' {
import type { Account, New } from 'fleet-host/stores/types';
/** Why a token or user cannot be stored. */
export type AccountConflict = 'name taken' | 'unknown center' | 'unknown room';
/** A deleted center or room stays in the lists of tokens and users: see `Account`. */
export interface Accounts<Row extends Account> {
    /** In the order of the ids. */
    list(): Promise<Row[]>;
    /** The new id. */
    add(row: New<Row>): Promise<number | AccountConflict>;
    /** Values that are undefined change nothing. A center or room that the row names already need not exist any more. */
    update(id: number, change: Partial<New<Row>>): Promise<'updated' | 'unknown' | AccountConflict>;
    /** False for an unknown id. */
    delete(id: number): Promise<boolean>;
    /** Sets `used` of each one in one step; ignores unknown ids. */
    setUsed(uses: {
        id: number;
        used: number;
    }[]): Promise<void>;
}
}

declare module 'fleet-host/stores/adapter-types' {
/** Further exports of an adapter that has files of its own: checks and repairs them. */
export interface Maintenance {
    check(options: StoreOptions): Promise<Finding[]>;
    repair(options: StoreOptions): Promise<Finding[]>;
}
/** A further export of an adapter whose data are not in the folder `path`. */
export interface Description {
    /** Where its data are, without a password. Throws an error of one line when an option is wrong. */
    describe(options: StoreOptions): string;
}
export interface Finding {
    ok: boolean;
    /** One line. */
    message: string;
}
/** The options' section `store`: `path` is absolute, other keys are the adapter's own. */
export interface StoreOptions {
    adapter: string;
    path: string;
    /** Opens the store while a daemon may be running, and writes nothing. */
    readonly?: boolean;
    /** The name of this host of a fleet: other hosts may have the store open, too. Without it no other process may. */
    member?: string | undefined;
    [key: string]: unknown;
}
export interface StoreLog {
    info(component: string, message: string): void;
    warn(component: string, message: string): void;
}
}

declare module 'fleet-host/stores/cluster-types' {
import type { StoreOptions } from 'fleet-host/stores/adapter-types';
import type { EndedWork, HostKey, Work } from 'fleet-host/stores/fleet-work-types';
import type { StoreLimits } from 'fleet-host/stores/types';
export type * from 'fleet-host/stores/fleet-work-types';
/** A further export of an adapter for several hosts. Its tables are made when the store is opened, which comes first. */
export interface ClusterAdapter {
    openCluster(options: StoreOptions, limits?: StoreLimits): Promise<ClusterStore>;
}
export interface ClusterStore {
    members: Members;
    bells: Bells;
    news: Publications;
    work: Work;
    close(): Promise<void>;
}
export interface MemberHost extends HostKey {
    /** Changes with each heartbeat; to be compared only. */
    heartbeat: string;
    /** Fingerprints of the host's commands by command name. */
    modules: Record<string, string>;
    /** Address of its REST API, for people. */
    url: string;
    /** Of its daemon. */
    version: string;
    /** Milliseconds without a heartbeat after which it counts as gone. */
    lease: number;
    /** When this epoch began, by the database's clock, milliseconds since 1970. */
    joined: number;
}
export interface Members {
    /**
     * Becomes a member. What an earlier epoch of this name left is ended as by `remove`, with the reason `daemon restarted`.
     * Undefined while another process holds this name: a lock of the database's session says so, which ends with the process.
     */
    join(host: Omit<MemberHost, 'epoch' | 'heartbeat' | 'joined'>): Promise<(EndedMember & {
        epoch: number;
    }) | undefined>;
    /** Writes the heartbeat by the database's clock. False when this epoch is no member any more: join again. */
    beat(key: HostKey, modules: Record<string, string>): Promise<boolean>;
    /** All members, the one that has been a member for the longest time first: it does what is done once in the fleet. */
    list(): Promise<MemberHost[]>;
    /**
     * Ends the membership of a host whose heartbeat is still this one: its agents are removed, its sent parts and the direct
     * parts that it has not claimed fail with `reason`, its other queued parts are assigned to nobody. In one step with its
     * own writes, so that nothing that it does later counts. Events are for the caller to publish. Undefined when it is no
     * member any more, or has written its heartbeat: somebody else removed it, or nobody need to.
     */
    remove(host: HostKey & {
        heartbeat: string;
    }, reason: string): Promise<EndedMember | undefined>;
    /** The same for oneself, when the daemon ends. `eventsOf` returns the events of that, which are stored in the same step. */
    leave(key: HostKey, reason: string, eventsOf?: (ended: EndedMember) => Published['events']): Promise<EndedMember>;
}
/** What ended with a membership. */
export interface EndedMember {
    /** Whether there was one: its last events may not have been published. */
    wasMember: boolean;
    /** Addresses of its agents that are connected to no other member. */
    agents: string[];
    ended: EndedWork[];
}
/** What changed: all hosts are notified. `hosts`: members; `news`: presence or events; `work`: assigned parts of a host. */
export type Bell = {
    type: 'hosts' | 'news';
} | {
    type: 'work';
    host: string;
};
export interface Bells {
    /**
     * Calls `onBell` for each notification, and `onLost` when the connection ended: notifications may have been missed. It is
     * opened again until `close`, then `onOpen` is called (also the first time).
     */
    listen(handlers: {
        onBell(bell: Bell): void;
        onOpen(): void;
        onLost(): void;
    }): void;
}
/** A connected agent, as its host sees it. */
export interface PresentAgent {
    addr: string;
    /**
     * The number of its connection in the fleet: later connections have higher numbers. Undefined until it has been written
     * the first time; afterwards the number that was assigned then.
     */
    since: number | undefined;
    /** The time of its connection by its host's clock, milliseconds since 1970. */
    connected: number;
    state: string;
    status: string;
    /** Mbit/s. */
    speed: number;
    result: 'unknown' | 'success' | 'failure';
    /** Whatever hosts agree on: the login, the introduction, the running command. JSON. */
    details: Record<string, unknown>;
}
/** A row of the fleet's presence; `gone`: it is not connected to this host any more. */
export interface PresenceRow extends Omit<PresentAgent, 'since'>, HostKey {
    since: number;
    gone: boolean;
}
/** An event of any host. `event`: JSON with a key `type`. `time`: milliseconds since 1970 by its host's clock. */
export interface ClusterEvent {
    id: number;
    host: string;
    time: number;
    event: {
        type: string;
    };
}
export interface Published {
    key: HostKey;
    /** New and changed agents of this host. */
    agents: PresentAgent[];
    /** Addresses whose agents are not connected to this host any more. */
    gone: string[];
    events: {
        time: number;
        event: {
            type: string;
        };
    }[];
    /** How many events were lost before these: their ids are left out, so that readers notice. */
    lost?: number;
    /**
     * The event that is stored instead when its `addr` is connected to another host by a newer connection, so that no reader
     * takes a client that moved for one that is gone; the same event when that does not matter. It may be called again.
     */
    replaceGone(event: {
        type: string;
    }): {
        type: string;
    };
}
/** Presence and events of the fleet, in one order: who has read up to a version has missed nothing before it. */
export interface Publications {
    /**
     * Stores presence and events in one step, in the order of the lists, and notifies all hosts. Resolves to the numbers of
     * the connections, by address. Nothing is stored, and it resolves to undefined, when this epoch is no member any more; to
     * `refused` when the database can never store this, as a text that its encoding lacks.
     */
    publish(published: Published): Promise<Map<string, number> | undefined | 'refused'>;
    /**
     * What came after a version and after an event; from 0 on everything there is. `events`: in order of their ids, which
     * have no gap, apart from one where events were lost; at most `limit`, so it is read again until it is empty. Presence is
     * never older than the events. Who has not read for a minute, or got `onLost`, reads presence from 0. Without the
     * presence of the host `except`, which knows its own.
     */
    read(after: {
        version: number;
        event: number;
        limit: number;
        except?: string;
    }): Promise<{
        version: number;
        agents: PresenceRow[];
        events: ClusterEvent[];
    }>;
    /** The id of the newest event; the lowest id of the newest `count` ones, or the next id when there are none. */
    newest(count: number): Promise<{
        newest: number;
        first: number;
    }>;
    /** Deletes all events but the newest `keep`, and rows of agents that have been gone for a minute. */
    trim(keep: number): Promise<void>;
    /** Outputs of the last script of clients, '' when a newer script has none yet. Clients without one are left out. */
    outputs(clients: readonly string[]): Promise<Map<string, string>>;
    /** By client. */
    setOutputs(outputs: ReadonlyMap<string, string>): Promise<void>;
    clearOutputs(clients: readonly string[]): Promise<void>;
}
}

declare module 'fleet-host/stores/fleet-work-types' {
import type { IndexedPart, Part, PartCounts, PartUpdate, UnfinishedPage } from 'fleet-host/stores/job-types';
import type { Job, New } from 'fleet-host/stores/types';
/** One life of a host. */
export interface HostKey {
    name: string;
    epoch: number;
}
/** What another process did to parts: to emit their events. `finished`: the jobs that have no unfinished part any more. */
export interface EndedWork {
    job: Pick<Job, 'id' | 'name' | 'by' | 'steps'>;
    /** Without outputs. */
    parts: IndexedPart[];
    /** Of all parts of the job, when these were the last ones. */
    finished?: {
        counts: PartCounts;
        clients: string[];
    };
}
/** One firing of a schedule: `time` is the due time, milliseconds since 1970. */
export interface Firing {
    schedule: number;
    time: number;
}
export interface NewWork {
    job: New<Job>;
    parts: Part[];
    /** Parts in state `queued` that are to be sent at once, by their host; those are not sent that cannot be. */
    direct: ReadonlySet<number>;
    /** The host that is to look after each queued part; undefined for those that this host looks after itself. */
    hosts: readonly (string | undefined)[];
    /** Of a schedule. */
    firing?: Firing;
}
/** A part that a host is to send or to queue. */
export interface AssignedPart extends IndexedPart {
    job: number;
    /** It was to be sent at once and is stored as sent by this host now. */
    claimed: boolean;
}
export interface Assigned {
    /** Those of the parts, each once, by id. */
    jobs: Job[];
    parts: AssignedPart[];
}
/** Under which condition an update takes effect: the part is queued, or was sent by this epoch of this host. */
export type ChangeFrom = 'queued' | 'sent';
/** So many parts of the fleet may be sent at once; the claim is one of them. */
export interface ClaimLimits {
    /** Parts whose payload names this repository. */
    repository?: {
        address: string;
        slots: number;
    };
    /** Parts of the job. */
    batch?: number;
}
export interface Change extends PartUpdate {
    from: ChangeFrom;
    /** Of a claim. */
    limits?: ClaimLimits;
}
export interface Changed {
    /** Those that took effect. */
    applied: Change[];
    /** Claims beyond their limits; absent when there are none. Those that are tried again within seconds are first served by the sequence of jobs and parts. */
    full?: Change[];
    /** Jobs whose last unfinished part ended by this, each reported once in the fleet. */
    finished: {
        job: number;
        counts: PartCounts;
        clients: string[];
    }[];
}
/** Parts of jobs, each of which is sent by one host and never twice. Each method is one step, on disk when it resolves. */
export interface Work {
    /**
     * Adds a job, assigns its queued parts, and notifies their hosts. Parts in state `sent` are those of this host. With
     * `firing` the schedule's `since` becomes its time; undefined when that firing has had its job or was skipped already.
     * Rejects when this epoch is no member any more. `unassigned`: indexes of parts that were for a host that is no member
     * any more; they are queued, not to be sent at once, and assigned to nobody.
     */
    add(key: HostKey, work: NewWork): Promise<{
        id: number;
        finished: boolean;
        unassigned: number[];
    } | undefined>;
    /** As a firing without a job: false when it has had one already. */
    claimFiring(firing: Firing): Promise<boolean>;
    /**
     * The parts assigned to this host since `after` (0: all), those to be sent at once claimed; `last` for the next call. A
     * call with the same `after` returns the same parts again, claimed ones too: the result of the first one may have got lost.
     */
    take(key: HostKey, after: number, now: number): Promise<Assigned & {
        last: number;
    }>;
    /** Queued parts of these clients, in the order of the queue: not those that a host is to send at once. */
    queued(clients: readonly string[] | 'all', page?: UnfinishedPage): Promise<Assigned>;
    /**
     * Assigns queued parts that are not to be sent at once to other hosts and notifies these. Parts in other states, and
     * those for a host that is no member, stay as they are.
     */
    assign(parts: readonly {
        job: number;
        index: number;
        host: string;
    }[]): Promise<void>;
    /** How many parts of a job are to be sent at once and have not been claimed. */
    unclaimed(job: number): Promise<number>;
    /**
     * Changes of parts. A change to `sent` from `queued` is a claim, of which only one in the fleet takes effect; a change to
     * `queued` from `sent` gives the part back, not to be sent at once. Rejects for a claim when this epoch is no member any
     * more. A change of an ended state that this host has stored already, with the same time, counts as applied: its result
     * may have got lost.
     */
    change(key: HostKey, changes: Change[]): Promise<Changed>;
    /** Cancels queued parts of a job or of clients, whichever host looks after them. */
    cancel(target: {
        job: number;
        clients?: readonly string[];
    } | {
        clients: readonly string[];
    }, reason: string, now: number): Promise<EndedWork[]>;
    /** Parts that wait in the whole fleet. */
    depth(): Promise<number>;
}
}

declare module 'fleet-host/stores/image-methods' {
import type { CreatedImage, Frozen, Image, ImageCopy, ImageUse, New, RestoredImage } from 'fleet-host/stores/types';
/** See `Image`: the room or the center; neither: all. */
export type ImageOwner = Pick<Image, 'center_id' | 'room_id'>;
export interface ImageMethods {
    /** Both in the order of the ids. `system` is empty when it is not known. */
    list(): Promise<Image[]>;
    uses(): Promise<Frozen<ImageUse[]>>;
    /** The partitions that have an image, of one image or of all: by image, then in the order of the computers' ids. */
    copies(image?: number): Promise<ImageCopy[]>;
    find(name: string): Promise<Image | undefined>;
    findById(id: number): Promise<Image | undefined>;
    /** The operating system of an image, '' when it is not known. */
    system(id: number): Promise<string>;
    /** The new id, or undefined when the name is taken. */
    add(image: New<Image>): Promise<number | undefined>;
    /** Whose an image is from now on; false for an unknown id. */
    setOwner(id: number, owner: ImageOwner): Promise<boolean>;
    /** The deleted image, undefined for an unknown id. Partitions that named it name none afterwards. */
    delete(id: number): Promise<Image | undefined>;
    /** Stores the partition's software. Updates the image and names it in the partition, unless its id is unknown. */
    recordCreate(ip: string, image: CreatedImage): Promise<boolean>;
    /** The partition gets the image, its software and its operating system. An unknown image changes nothing. */
    recordRestore(ip: string, image: RestoredImage): Promise<boolean>;
}
/** What a computer has in a partition; names are empty when there is none, or when it is not known. */
export interface PartitionContent {
    ip: string;
    /** The operating system. */
    system: string;
    filesystem: string;
    /** The id of the image, 0: none. */
    image: number;
}
}

declare module 'fleet-host/stores/job-types' {
export type PartState = 'queued' | 'sent' | 'success' | 'failure' | 'skipped' | 'expired' | 'cancelled';
/** One client with one step of a job. */
export interface Part {
    client: string;
    /** Index in the job's steps. */
    step: number;
    state: PartState;
    /** Why it failed, was skipped or cancelled; '' in other states. */
    reason: string;
    queued: number;
    sent: number;
    ended: number;
    /** Seconds that it may wait as the first part of its client's queue. */
    expires: number;
    /** The output of its script. */
    output: string;
    /** Present when the output was dropped, because newer ones needed its space: `output` is ''. */
    output_dropped?: true;
}
/** A part with its index in its job, from 0. */
export type IndexedPart = Part & {
    index: number;
};
/** Which parts of a job to read. */
export interface PartPage {
    after?: number;
    limit: number;
    client?: string;
    /** Only the parts of these clients. */
    clients?: readonly string[];
    outputs?: boolean;
}
/** Unfinished parts in the order of their jobs and indexes: the first `limit` of those after `after`; default: all. */
export interface UnfinishedPage {
    after?: {
        job: number;
        index: number;
    } | undefined;
    limit?: number;
}
/** What waits in the queue of those jobs that one caller asked for. */
export interface WaitingWork {
    /** That of the jobs, '' for those without one. */
    account: string;
    /** Parts in state queued. */
    parts: number;
    /** Jobs that have such parts. */
    jobs: number;
    /** Characters of the steps of these jobs as JSON, about. */
    characters: number;
}
/** How many parts of a job are in each state. */
export type PartCounts = Record<PartState, number>;
/** Which jobs to list; one part of the job must match all of `state`, `client` and `clients`. */
export interface JobFilter {
    state?: PartState;
    /** A step's command. */
    command?: string;
    client?: string;
    /** As if jobs had no parts of other clients: these are not counted either. There may be thousands. */
    clients?: readonly string[];
    limit: number;
}
/** A change of one part; absent keys stay as they are. */
export interface PartUpdate extends Partial<Pick<Part, 'state' | 'reason' | 'sent' | 'ended' | 'expires' | 'output'>> {
    job: number;
    index: number;
}
/** Why a procedure or task cannot be stored. `loop`: its steps would lead back to itself. */
export type StepConflict = 'unknown center' | 'name taken' | 'unknown step' | 'loop';
}

declare module 'fleet-host/stores/records/account' {
import { type RecordOf } from 'fleet-host/stores/records/record-columns';
/** Each role includes the ones before. */
export type Role = 'read' | 'operate' | 'admin';
export const user: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Unique among the tokens, or among the users. */
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    /** The store never has the secret itself. */
    hash: import('fleet-host/stores/records/record-columns').Column<string, string>;
    role: import('fleet-host/stores/records/record-columns').Column<Role, Role>;
    /**
     * It is limited to the computers of these centers and rooms; with two empty lists it is not limited. A center or room
     * that is deleted stays in its list: as ids are never assigned twice it grants nothing, and an emptied list would grant
     * everything.
     */
    centers: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
    rooms: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
    created: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** The name of who made it. */
    by: import('fleet-host/stores/records/record-columns').Column<string, string>;
    disabled: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
    /** Its last use. */
    used: import('fleet-host/stores/records/record-columns').Column<number, number>;
}>;
export const token: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Unique among the tokens, or among the users. */
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    /** The store never has the secret itself. */
    hash: import('fleet-host/stores/records/record-columns').Column<string, string>;
    role: import('fleet-host/stores/records/record-columns').Column<Role, Role>;
    /**
     * It is limited to the computers of these centers and rooms; with two empty lists it is not limited. A center or room
     * that is deleted stays in its list: as ids are never assigned twice it grants nothing, and an emptied list would grant
     * everything.
     */
    centers: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
    rooms: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
    created: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** The name of who made it. */
    by: import('fleet-host/stores/records/record-columns').Column<string, string>;
    disabled: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
    /** Its last use. */
    used: import('fleet-host/stores/records/record-columns').Column<number, number>;
    expires: import('fleet-host/stores/records/record-columns').Column<number, number>;
}>;
/** What tokens and users have in common. */
export interface Account extends RecordOf<typeof user> {
}
/** For people, with a password. `hash` is the text of its scrypt hash, with salt and parameters. */
export type User = Account;
/** For programs. `hash` is the SHA-256 of the token's secret part, in hexadecimal digits. */
export interface Token extends RecordOf<typeof token> {
}
}

declare module 'fleet-host/stores/records/all-records' {
import type { RecordOf, RowOf } from 'fleet-host/stores/records/record-columns';
export const records: {
    centers: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        comment: import('fleet-host/stores/records/record-columns').Column<string, string>;
    }>;
    rooms: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        center: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        netmask: import('fleet-host/stores/records/record-columns').Column<string, string>;
        location: import('fleet-host/stores/records/record-columns').Column<string, string>;
        gateway: import('fleet-host/stores/records/record-columns').Column<string, string>;
        ntp: import('fleet-host/stores/records/record-columns').Column<string, string>;
        dns: import('fleet-host/stores/records/record-columns').Column<string, string>;
        group: import('fleet-host/stores/records/record-columns').Column<number, number>;
        remote: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
    }>;
    tokens: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        hash: import('fleet-host/stores/records/record-columns').Column<string, string>;
        role: import('fleet-host/stores/records/record-columns').Column<import('fleet-host/stores/records/account').Role, import('fleet-host/stores/records/account').Role>;
        centers: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
        rooms: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
        created: import('fleet-host/stores/records/record-columns').Column<number, number>;
        by: import('fleet-host/stores/records/record-columns').Column<string, string>;
        disabled: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
        used: import('fleet-host/stores/records/record-columns').Column<number, number>;
        expires: import('fleet-host/stores/records/record-columns').Column<number, number>;
    }>;
    users: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        hash: import('fleet-host/stores/records/record-columns').Column<string, string>;
        role: import('fleet-host/stores/records/record-columns').Column<import('fleet-host/stores/records/account').Role, import('fleet-host/stores/records/account').Role>;
        centers: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
        rooms: import('fleet-host/stores/records/record-columns').Column<number[], number[]>;
        created: import('fleet-host/stores/records/record-columns').Column<number, number>;
        by: import('fleet-host/stores/records/record-columns').Column<string, string>;
        disabled: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
        used: import('fleet-host/stores/records/record-columns').Column<number, number>;
    }>;
    repositories: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        ip: import('fleet-host/stores/records/record-columns').Column<string, string>;
        slots: {
            store?(value: number): number;
            read?(stored: number): number;
            fallback?: number | undefined;
            absent?: number | undefined;
            isOptional: true;
        };
    }>;
    images: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        description: import('fleet-host/stores/records/record-columns').Column<string, string>;
        repo_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        type: import('fleet-host/stores/records/record-columns').Column<number, number>;
        datasize: import('fleet-host/stores/records/record-columns').Column<number, number>;
        software_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        group_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        center_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        room_id: {
            store?(value: number): number;
            read?(stored: number): number;
            fallback?: number | undefined;
            absent?: number | undefined;
            isOptional: true;
        };
        clonator: import('fleet-host/stores/records/record-columns').Column<string, string>;
        compressor: import('fleet-host/stores/records/record-columns').Column<string, string>;
        filesystem: import('fleet-host/stores/records/record-columns').Column<string, string>;
        version: {
            store?(value: number): number;
            read?(stored: number): number;
            fallback?: number | undefined;
            absent?: number | undefined;
            isOptional: true;
        };
        disk: {
            store?(value: number): number;
            read?(stored: number): number;
            fallback?: number | undefined;
            absent?: number | undefined;
            isOptional: true;
        };
        partition: {
            store?(value: number): number;
            read?(stored: number): number;
            fallback?: number | undefined;
            absent?: number | undefined;
            isOptional: true;
        };
    }>;
    computers: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        ip: import('fleet-host/stores/records/record-columns').Column<string, string>;
        mac: import('fleet-host/stores/records/record-columns').Column<string, string>;
        room: import('fleet-host/stores/records/record-columns').Column<number, number>;
        netmask: import('fleet-host/stores/records/record-columns').Column<string, string>;
        boot: import('fleet-host/stores/records/record-columns').Column<string, string>;
        remote: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
        serial_number: import('fleet-host/stores/records/record-columns').Column<string, string>;
        hardware_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        repo_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        netiface: import('fleet-host/stores/records/record-columns').Column<string, string>;
        netdriver: import('fleet-host/stores/records/record-columns').Column<string, string>;
        livedir: import('fleet-host/stores/records/record-columns').Column<string, string>;
        maintenance: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
        place: {
            store?(value: Omit<{
                row: number;
                column: number;
            }, never> & Partial<Pick<{
                row: number;
                column: number;
            }, never>>): Omit<{
                row: number;
                column: number;
            }, never> & Partial<Pick<{
                row: number;
                column: number;
            }, never>>;
            read?(stored: Omit<{
                row: number;
                column: number;
            }, never> & Partial<Pick<{
                row: number;
                column: number;
            }, never>>): Omit<{
                row: number;
                column: number;
            }, never> & Partial<Pick<{
                row: number;
                column: number;
            }, never>>;
            fallback?: (Omit<{
                row: number;
                column: number;
            }, never> & Partial<Pick<{
                row: number;
                column: number;
            }, never>>) | undefined;
            absent?: (Omit<{
                row: number;
                column: number;
            }, never> & Partial<Pick<{
                row: number;
                column: number;
            }, never>>) | undefined;
            isOptional: true;
        };
    }>;
    procedures: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        center: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        description: import('fleet-host/stores/records/record-columns').Column<string, string>;
        steps: import('fleet-host/stores/records/record-columns').Column<import('fleet-host/stores/records/procedure').Step[], import('fleet-host/stores/records/procedure').Step[]>;
    }>;
    tasks: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        center: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        description: import('fleet-host/stores/records/record-columns').Column<string, string>;
        steps: import('fleet-host/stores/records/record-columns').Column<import('fleet-host/stores/records/procedure').Step[], import('fleet-host/stores/records/procedure').Step[]>;
        scope: {
            store?(value: Omit<{
                type: "center" | "computer" | "room";
                id: number;
            }, never> & Partial<Pick<{
                type: "center" | "computer" | "room";
                id: number;
            }, never>>): Omit<{
                type: "center" | "computer" | "room";
                id: number;
            }, never> & Partial<Pick<{
                type: "center" | "computer" | "room";
                id: number;
            }, never>>;
            read?(stored: Omit<{
                type: "center" | "computer" | "room";
                id: number;
            }, never> & Partial<Pick<{
                type: "center" | "computer" | "room";
                id: number;
            }, never>>): Omit<{
                type: "center" | "computer" | "room";
                id: number;
            }, never> & Partial<Pick<{
                type: "center" | "computer" | "room";
                id: number;
            }, never>>;
            fallback?: (Omit<{
                type: "center" | "computer" | "room";
                id: number;
            }, never> & Partial<Pick<{
                type: "center" | "computer" | "room";
                id: number;
            }, never>>) | undefined;
            absent?: (Omit<{
                type: "center" | "computer" | "room";
                id: number;
            }, never> & Partial<Pick<{
                type: "center" | "computer" | "room";
                id: number;
            }, never>>) | undefined;
            isOptional: true;
        };
        clients: {
            store?(value: string[]): string[];
            read?(stored: string[]): string[];
            fallback?: string[] | undefined;
            absent?: string[] | undefined;
            isOptional: true;
        };
        options: {
            store?(value: Omit<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>): Omit<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>;
            read?(stored: Omit<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>): Omit<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>;
            fallback?: (Omit<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>) | undefined;
            absent?: (Omit<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
                wake: boolean;
                when_idle: boolean;
                until: string;
                batch: number;
                then: "poweroff" | "session";
                then_after: "any" | "success";
            }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>) | undefined;
            isOptional: true;
        };
    }>;
    errands: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        clients: import('fleet-host/stores/records/record-columns').Column<string[], string[]>;
        command: import('fleet-host/stores/records/record-columns').Column<string, string>;
        params: {
            store: (value: Record<string, unknown>) => Record<string, unknown>;
            read: (value: Record<string, unknown>) => Record<string, unknown>;
        };
    }>;
    schedules: import('fleet-host/stores/records/record-columns').RecordType<{
        years: import('fleet-host/stores/records/record-columns').Column<number, number>;
        months: import('fleet-host/stores/records/record-columns').Column<number, number>;
        weeks: import('fleet-host/stores/records/record-columns').Column<number, number>;
        week_days: import('fleet-host/stores/records/record-columns').Column<number, number>;
        days: import('fleet-host/stores/records/record-columns').Column<number, number>;
        hours: import('fleet-host/stores/records/record-columns').Column<number, number>;
        am_pm: import('fleet-host/stores/records/record-columns').Column<number, number>;
        minutes: import('fleet-host/stores/records/record-columns').Column<number, number>;
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        type: import('fleet-host/stores/records/record-columns').Column<"command" | "procedure" | "task", "command" | "procedure" | "task">;
        task: import('fleet-host/stores/records/record-columns').Column<number, number>;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        suspended: import('fleet-host/stores/records/record-columns').Column<0 | 1, 0 | 1>;
        since: import('fleet-host/stores/records/record-columns').Column<number, number>;
        by: {
            store?(value: string): string;
            read?(stored: string): string;
            absent?: string | undefined;
            fallback: string;
        };
        plan: {
            store?(value: Omit<{
                task: number;
                procedure: number;
            }, never> & Partial<Pick<{
                task: number;
                procedure: number;
            }, never>>): Omit<{
                task: number;
                procedure: number;
            }, never> & Partial<Pick<{
                task: number;
                procedure: number;
            }, never>>;
            read?(stored: Omit<{
                task: number;
                procedure: number;
            }, never> & Partial<Pick<{
                task: number;
                procedure: number;
            }, never>>): Omit<{
                task: number;
                procedure: number;
            }, never> & Partial<Pick<{
                task: number;
                procedure: number;
            }, never>>;
            fallback?: (Omit<{
                task: number;
                procedure: number;
            }, never> & Partial<Pick<{
                task: number;
                procedure: number;
            }, never>>) | undefined;
            absent?: (Omit<{
                task: number;
                procedure: number;
            }, never> & Partial<Pick<{
                task: number;
                procedure: number;
            }, never>>) | undefined;
            isOptional: true;
        };
    }>;
    jobs: import('fleet-host/stores/records/record-columns').RecordType<{
        id: import('fleet-host/stores/records/record-columns').Column<number, number>;
        created: import('fleet-host/stores/records/record-columns').Column<number, number>;
        origin: import('fleet-host/stores/records/record-columns').Column<"procedure" | "request" | "retry" | "schedule" | "task", "procedure" | "request" | "retry" | "schedule" | "task">;
        name: import('fleet-host/stores/records/record-columns').Column<string, string>;
        caller: {
            store?(value: string): string;
            read?(stored: string): string;
            fallback?: string | undefined;
            absent?: string | undefined;
            isOptional: true;
        };
        by: {
            store?(value: string): string;
            read?(stored: string): string;
            absent?: string | undefined;
            fallback: string;
        };
        account: {
            store?(value: string): string;
            read?(stored: string): string;
            fallback?: string | undefined;
            absent?: string | undefined;
            isOptional: true;
        };
        steps: import('fleet-host/stores/records/record-columns').Column<(Omit<{
            command: string;
            payload: Record<string, unknown>;
        }, never> & Partial<Pick<{
            command: string;
            payload: Record<string, unknown>;
        }, never>>)[], string>;
        conditions: {
            store?(value: Omit<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle">>): Omit<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle">>;
            read?(stored: Omit<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle">>): Omit<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle">>;
            fallback?: (Omit<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle">>) | undefined;
            absent?: (Omit<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
                when_idle: true;
                until: number;
                batch: number;
                after_success: number;
            }, "after_success" | "batch" | "until" | "when_idle">>) | undefined;
            isOptional: true;
        };
    }>;
};
export type RecordName = keyof typeof records;
export type Records = {
    [Name in RecordName]: RecordOf<(typeof records)[Name]>;
};
export type RecordRows = {
    [Name in RecordName]: RowOf<(typeof records)[Name]>;
};
/** Between records and their rows; for rows whose collection is known only when the program runs. */
export interface Codec<Name extends RecordName> {
    /** Only what has a column is stored of a caller's object. */
    store(record: object): RecordRows[Name];
    /** A copy that the reader may change. */
    read(row: object): Records[Name];
}
export const codecOf: <Name extends RecordName>(name: Name) => Codec<Name>;
export const isRecordName: (name: string) => name is RecordName;
}

declare module 'fleet-host/stores/records/center' {
import { type RecordOf } from 'fleet-host/stores/records/record-columns';
export const center: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    comment: import('fleet-host/stores/records/record-columns').Column<string, string>;
}>;
export interface Center extends RecordOf<typeof center> {
}
export const room: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    center: import('fleet-host/stores/records/record-columns').Column<number, number>;
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    netmask: import('fleet-host/stores/records/record-columns').Column<string, string>;
    location: import('fleet-host/stores/records/record-columns').Column<string, string>;
    gateway: import('fleet-host/stores/records/record-columns').Column<string, string>;
    ntp: import('fleet-host/stores/records/record-columns').Column<string, string>;
    dns: import('fleet-host/stores/records/record-columns').Column<string, string>;
    group: import('fleet-host/stores/records/record-columns').Column<number, number>;
    remote: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
}>;
export interface Room extends RecordOf<typeof room> {
}
export const repository: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    ip: import('fleet-host/stores/records/record-columns').Column<string, string>;
    /** How many images may be copied from or to it at once; absent: any number. */
    slots: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
}>;
/** Repository 1 always exists; its empty `ip` stands for the daemon's own address. */
export interface Repository extends RecordOf<typeof repository> {
}
}

declare module 'fleet-host/stores/records/computer' {
import { type RecordOf } from 'fleet-host/stores/records/record-columns';
const place: import('fleet-host/stores/records/record-columns').RecordType<{
    row: import('fleet-host/stores/records/record-columns').Column<number, number>;
    column: import('fleet-host/stores/records/record-columns').Column<number, number>;
}>;
/** A seat on the map of a room: its row and column, 1 to 99. Computers may share one. */
export interface Place extends RecordOf<typeof place> {
}
export const computer: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    ip: import('fleet-host/stores/records/record-columns').Column<string, string>;
    mac: import('fleet-host/stores/records/record-columns').Column<string, string>;
    room: import('fleet-host/stores/records/record-columns').Column<number, number>;
    netmask: import('fleet-host/stores/records/record-columns').Column<string, string>;
    boot: import('fleet-host/stores/records/record-columns').Column<string, string>;
    remote: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
    serial_number: import('fleet-host/stores/records/record-columns').Column<string, string>;
    hardware_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    repo_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    netiface: import('fleet-host/stores/records/record-columns').Column<string, string>;
    netdriver: import('fleet-host/stores/records/record-columns').Column<string, string>;
    livedir: import('fleet-host/stores/records/record-columns').Column<string, string>;
    maintenance: import('fleet-host/stores/records/record-columns').Column<boolean, boolean>;
    /** Absent when it has none. */
    place: {
        store?(value: Omit<{
            row: number;
            column: number;
        }, never> & Partial<Pick<{
            row: number;
            column: number;
        }, never>>): Omit<{
            row: number;
            column: number;
        }, never> & Partial<Pick<{
            row: number;
            column: number;
        }, never>>;
        read?(stored: Omit<{
            row: number;
            column: number;
        }, never> & Partial<Pick<{
            row: number;
            column: number;
        }, never>>): Omit<{
            row: number;
            column: number;
        }, never> & Partial<Pick<{
            row: number;
            column: number;
        }, never>>;
        fallback?: (Omit<{
            row: number;
            column: number;
        }, never> & Partial<Pick<{
            row: number;
            column: number;
        }, never>>) | undefined;
        absent?: (Omit<{
            row: number;
            column: number;
        }, never> & Partial<Pick<{
            row: number;
            column: number;
        }, never>>) | undefined;
        isOptional: true;
    };
}>;
/** A managed computer. `ip` is unique; `mac` is 12 hex digits; `hardware_id` is a hardware profile, 0 means none. */
export interface Computer extends RecordOf<typeof computer> {
}
export const partition: import('fleet-host/stores/records/record-columns').RecordType<{
    disk: import('fleet-host/stores/records/record-columns').Column<number, number>;
    partition: import('fleet-host/stores/records/record-columns').Column<number, number>;
    code: import('fleet-host/stores/records/record-columns').Column<number, number>;
    size: import('fleet-host/stores/records/record-columns').Column<number, number>;
    used_size: import('fleet-host/stores/records/record-columns').Column<number, number>;
    filesystem: import('fleet-host/stores/records/record-columns').Column<number, number>;
    os: import('fleet-host/stores/records/record-columns').Column<number, number>;
    image: import('fleet-host/stores/records/record-columns').Column<number, number>;
    software: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** The version of the image, and when it came there in epoch milliseconds; absent when they are not known. */
    image_version: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    image_since: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
}>;
/** A row of a computer's disks; partition 0 is the disk itself. `size` in KiB, `used_size` in percent. */
export interface Partition extends RecordOf<typeof partition> {
}
export {};
}

declare module 'fleet-host/stores/records/image' {
import { type RecordOf } from 'fleet-host/stores/records/record-columns';
export const image: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    description: import('fleet-host/stores/records/record-columns').Column<string, string>;
    repo_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    type: import('fleet-host/stores/records/record-columns').Column<number, number>;
    datasize: import('fleet-host/stores/records/record-columns').Column<number, number>;
    software_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    group_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** It belongs to this center; 0: to a room or to all. */
    center_id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** It belongs to this room; absent: to its center or to all. */
    room_id: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    clonator: import('fleet-host/stores/records/record-columns').Column<string, string>;
    compressor: import('fleet-host/stores/records/record-columns').Column<string, string>;
    filesystem: import('fleet-host/stores/records/record-columns').Column<string, string>;
    /** How often it was created; absent: not known. */
    version: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    /** The numbers of the disk and partition that it was made of; absent: not known. */
    disk: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    partition: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
}>;
/** `datasize` in bytes; `name` is unique, and is the file's name without `.img`. */
export interface Image extends RecordOf<typeof image> {
}
}

declare module 'fleet-host/stores/records/job' {
import { type RecordOf } from 'fleet-host/stores/records/record-columns';
const conditions: import('fleet-host/stores/records/record-columns').RecordType<{
    /** Not while somebody is logged in on the client. */
    when_idle: {
        store?(value: true): true;
        read?(stored: true): true;
        fallback?: true | undefined;
        absent?: true | undefined;
        isOptional: true;
    };
    /** What has not been sent by then expires, apart from further steps of clients that have begun. */
    until: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    /** So many of its clients have running parts at once. */
    batch: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    /** The index of a step that a client gets only where all its steps before have succeeded. */
    after_success: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
}>;
/** Under which conditions the queued parts of a job may be sent. */
export interface JobConditions extends RecordOf<typeof conditions> {
}
export const job: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    created: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** The source of the job: a caller's request, what was run, or a retry of an earlier job. */
    origin: import('fleet-host/stores/records/record-columns').Column<"procedure" | "request" | "retry" | "schedule" | "task", "procedure" | "request" | "retry" | "schedule" | "task">;
    /** The command's name, or the name of the task, procedure or schedule. */
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    /** The address of the caller who asked for it; absent for schedules. */
    caller: {
        store?(value: string): string;
        read?(stored: string): string;
        fallback?: string | undefined;
        absent?: string | undefined;
        isOptional: true;
    };
    /** The name of who asked for it; '' when it is not known. */
    by: {
        store?(value: string): string;
        read?(stored: string): string;
        absent?: string | undefined;
        fallback: string;
    };
    /** The account of who asked for it: `user:3`, `token:7` or `admin`; absent when it is not known. */
    account: {
        store?(value: string): string;
        read?(stored: string): string;
        fallback?: string | undefined;
        absent?: string | undefined;
        isOptional: true;
    };
    /** The command of each step and its accepted payload without `clients`. */
    steps: import('fleet-host/stores/records/record-columns').Column<(Omit<{
        command: string;
        payload: Record<string, unknown>;
    }, never> & Partial<Pick<{
        command: string;
        payload: Record<string, unknown>;
    }, never>>)[], string>;
    /** Absent: its queued parts are sent as soon as their clients can take them. */
    conditions: {
        store?(value: Omit<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle">>): Omit<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle">>;
        read?(stored: Omit<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle">>): Omit<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle">>;
        fallback?: (Omit<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle">>) | undefined;
        absent?: (Omit<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle"> & Partial<Pick<{
            when_idle: true;
            until: number;
            batch: number;
            after_success: number;
        }, "after_success" | "batch" | "until" | "when_idle">>) | undefined;
        isOptional: true;
    };
}>;
/** One accepted request, or one run of a task, procedure or schedule. It has one part per client and step. */
export interface Job extends RecordOf<typeof job> {
}
export {};
}

declare module 'fleet-host/stores/records/procedure' {
import { type Column, type RecordOf } from 'fleet-host/stores/records/record-columns';
/**
 * One step of a procedure or task; `params` is the command's payload without `clients`. A procedure or task that a step
 * names exists when the step is stored; later it can be missing only because its center was deleted.
 */
export type Step = {
    command: string;
    params: Record<string, unknown>;
} | {
    procedure: number;
} | {
    task: number;
};
export const procedure: import('fleet-host/stores/records/record-columns').RecordType<{
    id: Column<number, number>;
    center: Column<number, number>;
    name: Column<string, string>;
    description: Column<string, string>;
    steps: Column<Step[], Step[]>;
}>;
/** `name` is unique within its center. */
export interface Procedure extends RecordOf<typeof procedure> {
}
const taskOptions: import('fleet-host/stores/records/record-columns').RecordType<{
    /** Computers that are off are woken. */
    wake: {
        store?(value: boolean): boolean;
        read?(stored: boolean): boolean;
        fallback?: boolean | undefined;
        absent?: boolean | undefined;
        isOptional: true;
    };
    /** A computer where somebody is logged in waits until nobody is. */
    when_idle: {
        store?(value: boolean): boolean;
        read?(stored: boolean): boolean;
        fallback?: boolean | undefined;
        absent?: boolean | undefined;
        isOptional: true;
    };
    /** `06:30`: what has not begun by then, in local time, expires. */
    until: {
        store?(value: string): string;
        read?(stored: string): string;
        fallback?: string | undefined;
        absent?: string | undefined;
        isOptional: true;
    };
    /** At most so many computers at once. */
    batch: {
        store?(value: number): number;
        read?(stored: number): number;
        fallback?: number | undefined;
        absent?: number | undefined;
        isOptional: true;
    };
    /** The command of a last step, after those of the task. */
    then: {
        store?(value: "poweroff" | "session"): "poweroff" | "session";
        read?(stored: "poweroff" | "session"): "poweroff" | "session";
        fallback?: "poweroff" | "session" | undefined;
        absent?: "poweroff" | "session" | undefined;
        isOptional: true;
    };
    /** Where a computer gets the last step; absent: `any`, whatever became of its steps before. */
    then_after: {
        store?(value: "any" | "success"): "any" | "success";
        read?(stored: "any" | "success"): "any" | "success";
        fallback?: "any" | "success" | undefined;
        absent?: "any" | "success" | undefined;
        isOptional: true;
    };
}>;
/** How a task runs; those of the tasks that its steps name have no effect. */
export interface TaskOptions extends RecordOf<typeof taskOptions> {
}
export const task: import('fleet-host/stores/records/record-columns').RecordType<{
    id: Column<number, number>;
    center: Column<number, number>;
    name: Column<string, string>;
    description: Column<string, string>;
    steps: Column<Step[], Step[]>;
    scope: {
        store?(value: Omit<{
            type: "center" | "computer" | "room";
            id: number;
        }, never> & Partial<Pick<{
            type: "center" | "computer" | "room";
            id: number;
        }, never>>): Omit<{
            type: "center" | "computer" | "room";
            id: number;
        }, never> & Partial<Pick<{
            type: "center" | "computer" | "room";
            id: number;
        }, never>>;
        read?(stored: Omit<{
            type: "center" | "computer" | "room";
            id: number;
        }, never> & Partial<Pick<{
            type: "center" | "computer" | "room";
            id: number;
        }, never>>): Omit<{
            type: "center" | "computer" | "room";
            id: number;
        }, never> & Partial<Pick<{
            type: "center" | "computer" | "room";
            id: number;
        }, never>>;
        fallback?: (Omit<{
            type: "center" | "computer" | "room";
            id: number;
        }, never> & Partial<Pick<{
            type: "center" | "computer" | "room";
            id: number;
        }, never>>) | undefined;
        absent?: (Omit<{
            type: "center" | "computer" | "room";
            id: number;
        }, never> & Partial<Pick<{
            type: "center" | "computer" | "room";
            id: number;
        }, never>>) | undefined;
        isOptional: true;
    };
    clients: {
        store?(value: string[]): string[];
        read?(stored: string[]): string[];
        fallback?: string[] | undefined;
        absent?: string[] | undefined;
        isOptional: true;
    };
    /** Absent in old data. */
    options: {
        store?(value: Omit<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>): Omit<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>;
        read?(stored: Omit<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>): Omit<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>;
        fallback?: (Omit<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>) | undefined;
        absent?: (Omit<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle"> & Partial<Pick<{
            wake: boolean;
            when_idle: boolean;
            until: string;
            batch: number;
            then: "poweroff" | "session";
            then_after: "any" | "success";
        }, "batch" | "then" | "then_after" | "until" | "wake" | "when_idle">>) | undefined;
        isOptional: true;
    };
}>;
/** A procedure with its targets: a scope, addresses, or both; without them, all computers of its center. */
export interface Task extends RecordOf<typeof task> {
}
export {};
}

declare module 'fleet-host/stores/records/record-columns' {
/** One value of a record. A column without functions has values that need no copy. */
export interface Column<Value, Stored = Value> {
    /** What is stored of a caller's value: of objects only the keys that have columns. */
    store?(value: Value): Stored;
    /** A copy that the reader may change. */
    read?(stored: Stored): Value;
    /** A row without the key has this value, and a row with this value is stored without the key. */
    fallback?: Value;
    /** A row with this value is stored without the key, and has none when it is read. */
    absent?: Value;
}
type Columns = Readonly<Record<string, Column<unknown>>>;
type KeysWith<Own extends Columns, Kind> = {
    [Key in keyof Own]: Own[Key] extends Kind ? Key : never;
}[keyof Own];
type WithOptional<Values, Keys extends keyof Values> = Omit<Values, Keys> & Partial<Pick<Values, Keys>>;
type Values<Own extends Columns> = WithOptional<{
    [Key in keyof Own]: Own[Key] extends Column<infer Value, infer _> ? Value : never;
}, KeysWith<Own, {
    isOptional: true;
}>>;
type StoredValues<Own extends Columns> = WithOptional<{
    [Key in keyof Own]: Own[Key] extends Column<infer _, infer Stored> ? Stored : never;
}, KeysWith<Own, {
    isOptional: true;
} | {
    fallback: unknown;
}>>;
/** A record, which may be a value of another record. */
export interface RecordType<Own extends Columns> extends Column<Values<Own>, StoredValues<Own>> {
    columns: Own;
    store(record: Values<Own>): StoredValues<Own>;
    read(row: StoredValues<Own>): Values<Own>;
}
export type RecordOf<Type> = Type extends RecordType<infer Own> ? Values<Own> : never;
export type RowOf<Type> = Type extends RecordType<infer Own> ? Readonly<StoredValues<Own>> : never;
/** A value that needs no copy, or of which nobody keeps another one. */
export const plain: <Value>() => Column<Value>;
export const text: Column<string, string>;
export const number: Column<number, number>;
export const flag: Column<boolean, boolean>;
/** Any JSON value; copied through its text, so that the copy is what a restart would read from the disk. */
export function json<Value>(): {
    store: (value: Value) => Value;
    read: (value: Value) => Value;
};
export const list: <Value>({ store }: Column<Value>) => Column<Value[]>;
/** Stored as JSON text, which takes less memory than the objects. */
export const asText: <Value>({ store }: Column<Value>) => Column<Value, string>;
/** The key may be absent; so it is when it has the value `absent`. */
export const optional: <Value, Stored>(column: Column<Value, Stored>, absent?: Value) => {
    /** What is stored of a caller's value: of objects only the keys that have columns. */
    store?(value: Value): Stored;
    /** A copy that the reader may change. */
    read?(stored: Stored): Value;
    /** A row without the key has this value, and a row with this value is stored without the key. */
    fallback?: Value | undefined;
    absent?: Value | undefined;
    isOptional: true;
};
export const withDefault: <Value>(column: Column<Value>, fallback: Value) => {
    /** What is stored of a caller's value: of objects only the keys that have columns. */
    store?(value: Value): Value;
    /** A copy that the reader may change. */
    read?(stored: Value): Value;
    /** A row with this value is stored without the key, and has none when it is read. */
    absent?: Value | undefined;
    fallback: Value;
};
/** The order of the columns is that of the keys in stored rows. */
export function record<Own extends Columns>(columns: Own): RecordType<Own>;
export {};
}

declare module 'fleet-host/stores/records/scheduled-work' {
import { type RecordOf } from 'fleet-host/stores/records/record-columns';
export const scheduledCommand: import('fleet-host/stores/records/record-columns').RecordType<{
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    clients: import('fleet-host/stores/records/record-columns').Column<string[], string[]>;
    command: import('fleet-host/stores/records/record-columns').Column<string, string>;
    params: {
        store: (value: Record<string, unknown>) => Record<string, unknown>;
        read: (value: Record<string, unknown>) => Record<string, unknown>;
    };
}>;
/** A command with its clients, which a schedule of type `command` runs. */
export interface ScheduledCommand extends RecordOf<typeof scheduledCommand> {
}
const masks: import('fleet-host/stores/records/record-columns').RecordType<{
    /** Bit 0 is 2010, bit 31 is 2041. The specification's table ends with bit 15, a year that has passed. */
    years: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 is January, bit 11 December. */
    months: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 to 4: the first to fifth week of the month, from Sunday to Saturday. Bit 5: the last week of the month. */
    weeks: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 is Monday, bit 6 Sunday. */
    week_days: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 is the first day of the month, bit 30 the 31st. */
    days: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 to 11: hours since midnight or since noon, depending on `am_pm`. */
    hours: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Not a mask: 0 before 12:00, 1 from 12:00 on. */
    am_pm: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Not a mask: the minute of the hour, 0 to 59. */
    minutes: import('fleet-host/stores/records/record-columns').Column<number, number>;
}>;
/** When a schedule runs, in local time: `when` of the specification. Other bits are ignored. */
export interface Masks extends RecordOf<typeof masks> {
}
export const schedule: import('fleet-host/stores/records/record-columns').RecordType<{
    /** Bit 0 is 2010, bit 31 is 2041. The specification's table ends with bit 15, a year that has passed. */
    years: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 is January, bit 11 December. */
    months: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 to 4: the first to fifth week of the month, from Sunday to Saturday. Bit 5: the last week of the month. */
    weeks: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 is Monday, bit 6 Sunday. */
    week_days: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 is the first day of the month, bit 30 the 31st. */
    days: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Bit 0 to 11: hours since midnight or since noon, depending on `am_pm`. */
    hours: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Not a mask: 0 before 12:00, 1 from 12:00 on. */
    am_pm: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Not a mask: the minute of the hour, 0 to 59. */
    minutes: import('fleet-host/stores/records/record-columns').Column<number, number>;
    id: import('fleet-host/stores/records/record-columns').Column<number, number>;
    type: import('fleet-host/stores/records/record-columns').Column<"command" | "procedure" | "task", "command" | "procedure" | "task">;
    task: import('fleet-host/stores/records/record-columns').Column<number, number>;
    name: import('fleet-host/stores/records/record-columns').Column<string, string>;
    suspended: import('fleet-host/stores/records/record-columns').Column<0 | 1, 0 | 1>;
    /** Runs that were due up to this time are done or skipped. */
    since: import('fleet-host/stores/records/record-columns').Column<number, number>;
    /** Who made it, whose rights it runs with: `admin`, `token:7` or `user:3`, which need not exist any more. */
    by: {
        store?(value: string): string;
        read?(stored: string): string;
        absent?: string | undefined;
        fallback: string;
    };
    /** Of a planned restore: the ids of the task and the procedure that were made with it. */
    plan: {
        store?(value: Omit<{
            task: number;
            procedure: number;
        }, never> & Partial<Pick<{
            task: number;
            procedure: number;
        }, never>>): Omit<{
            task: number;
            procedure: number;
        }, never> & Partial<Pick<{
            task: number;
            procedure: number;
        }, never>>;
        read?(stored: Omit<{
            task: number;
            procedure: number;
        }, never> & Partial<Pick<{
            task: number;
            procedure: number;
        }, never>>): Omit<{
            task: number;
            procedure: number;
        }, never> & Partial<Pick<{
            task: number;
            procedure: number;
        }, never>>;
        fallback?: (Omit<{
            task: number;
            procedure: number;
        }, never> & Partial<Pick<{
            task: number;
            procedure: number;
        }, never>>) | undefined;
        absent?: (Omit<{
            task: number;
            procedure: number;
        }, never> & Partial<Pick<{
            task: number;
            procedure: number;
        }, never>>) | undefined;
        isOptional: true;
    };
}>;
/** `task` is the id of a task, a procedure or a scheduled command, depending on `type`. It need not exist. */
export interface Schedule extends RecordOf<typeof schedule> {
}
export {};
}

declare module 'fleet-host/stores/store' {
import type { Accounts } from 'fleet-host/stores/account-methods';
import type { StoreLog, StoreOptions } from 'fleet-host/stores/adapter-types';
import type { ImageMethods, PartitionContent } from 'fleet-host/stores/image-methods';
import type { Center, Computer, ComputerChange, ComputerValues, Conflict, DiskReport, Entry, Frozen, HardwareItem, IndexedPart, Job, JobFilter, New, Part, PartCounts, Partition, PartPage, PartUpdate, Procedure, Repository, Room, Schedule, ScheduledCommand, ScopeNode, Software, StepConflict, StoreLimits, Task, Token, UnfinishedPage, User, WaitingWork } from 'fleet-host/stores/types';
export type * from 'fleet-host/stores/account-methods';
export type * from 'fleet-host/stores/adapter-types';
export type * from 'fleet-host/stores/cluster-types';
export type * from 'fleet-host/stores/image-methods';
export type * from 'fleet-host/stores/types';
export interface Store {
    /** The whole tree; each level in the order of the ids. */
    scopes(): Promise<Frozen<ScopeNode[]>>;
    centers: {
        /** The new id, or undefined when the name is taken. */
        add(center: New<Center>): Promise<number | undefined>;
        update(change: Pick<Center, 'id'> & Partial<Center>): Promise<'updated' | 'unknown' | 'name taken'>;
        /** Also deletes its rooms, computers, procedures and tasks. The deleted computers, or undefined for an unknown id. */
        delete(id: number): Promise<Computer[] | undefined>;
    };
    rooms: {
        /** The new id; names are unique within a center. */
        add(room: New<Room>): Promise<number | 'name taken' | 'unknown center'>;
        find(id: number): Promise<Room | undefined>;
        /** In the order of the ids. */
        list(): Promise<Room[]>;
        update(room: Room): Promise<'updated' | 'unknown' | 'name taken' | 'unknown center'>;
        /** Also deletes its computers. The deleted computers, or undefined for an unknown id. */
        delete(id: number): Promise<Computer[] | undefined>;
    };
    repositories: {
        list(): Promise<Repository[]>;
        /** The new id, or undefined when the name is taken. */
        add(repository: New<Repository>): Promise<number | undefined>;
        /** `slots: 0` removes the limit. */
        update(change: Pick<Repository, 'id'> & Partial<Repository>): Promise<'updated' | 'unknown' | 'name taken'>;
        /** Repository 1 and one that a computer or an image names are `in use`. */
        delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>;
    };
    computers: {
        /** All or none. An empty list when all are stored, else every conflict (a repeated address in the list is one). */
        add(computers: New<Computer>[]): Promise<Conflict[]>;
        find(ip: string): Promise<Frozen<Computer & {
            center: number;
        }> | undefined>;
        /** Those of these addresses, in any order; ignores unknown addresses. */
        findMany(ips: readonly string[]): Promise<Frozen<Computer & {
            center: number;
        }>[]>;
        /** Those of a room, or all, in the order of the ids. */
        list(room?: number): Promise<Computer[]>;
        /**
         * Applies the same change to all computers with these addresses, or to none; ignores unknown addresses. A new `ip`
         * is valid for one computer only.
         */
        update(ips: string[], change: ComputerValues): Promise<'updated' | Conflict['reason']>;
        /**
         * Adds the rows without an id and changes the computers that the others name: all or none. Two computers may exchange
         * their addresses. `before`: the changed computers as they were, in the order of the rows; none after a conflict.
         */
        merge(rows: (New<Computer> | ComputerChange)[]): Promise<{
            conflicts: Conflict[];
            before: Computer[];
        }>;
        /** The deleted computers; ignores unknown addresses. */
        delete(ips: string[]): Promise<Computer[]>;
    };
    /** Disks and programs of a computer, by its address. For an unknown address lists are empty, and writes give false. */
    inventory: {
        /** Ordered by disk, then partition. */
        partitions(ip: string): Promise<Partition[]>;
        /** Of these addresses the computers that have the partition, in any order. */
        contents(ips: readonly string[], disk: number, partition: number): Promise<PartitionContent[]>;
        /** The installed operating systems, ordered in the same way. */
        sessions(ip: string): Promise<{
            disk: number;
            partition: number;
            name: string;
        }[]>;
        hardware(ip: string): Promise<Frozen<HardwareItem[]>>;
        /** The programs of one partition. */
        software(ip: string, disk: number, partition: number): Promise<string[]>;
        /**
         * Replaces the computer's rows. A row keeps its image and software while size, filesystem and os are unchanged,
         * otherwise both become 0. Names get ids: see `filesystem-names.ts`. A name exists while a partition has it; its id
         * is never assigned to another name.
         */
        refresh(ip: string, report: DiskReport): Promise<boolean>;
        setHardware(ip: string, items: HardwareItem[]): Promise<boolean>;
        /** A partition without a row gets one, whose other values are zero. */
        setSoftware(ip: string, disk: number, partition: number, software: Software): Promise<boolean>;
    };
    images: ImageMethods;
    procedures: StepLists<Procedure>;
    tasks: StepLists<Task>;
    schedules: {
        list(): Promise<Schedule[]>;
        /** The new id. */
        add(schedule: New<Schedule>): Promise<number>;
        /** Adds the command and a schedule of type command whose `task` is the command's id. The new id of the schedule. */
        addScheduledCommand(command: New<ScheduledCommand>, schedule: Omit<New<Schedule>, 'task'>): Promise<number>;
        findScheduledCommand(id: number): Promise<ScheduledCommand | undefined>;
        /** False for an unknown id. Deletes a scheduled command that no schedule names any more. */
        update(schedule: Schedule): Promise<boolean>;
        /** Sets `since`; ignores an unknown id. */
        setSince(id: number, since: number): Promise<void>;
        /** False for an unknown id. Deletes a scheduled command that no schedule names any more. */
        delete(id: number): Promise<boolean>;
    };
    /** Must need little memory: 10,000 finished jobs of 100 parts each are usual. */
    jobs: {
        /** The new id. */
        add(job: New<Job>, parts: Part[]): Promise<number>;
        /** Applies all updates in one step; ignores those of jobs or parts that do not exist. */
        update(updates: PartUpdate[]): Promise<void>;
        /** Newest first. */
        list(filter: JobFilter): Promise<(Job & {
            counts: PartCounts;
        })[]>;
        /** With `clients` only their parts are counted; undefined when it has none of them. */
        find(id: number, clients?: readonly string[]): Promise<(Job & {
            counts: PartCounts;
        }) | undefined>;
        /**
         * In the order of their indexes, from the first after `after` on; only the parts of `client` and of `clients`, if
         * these are set. With `outputs: false` the outputs need not be read: they may be ''.
         */
        parts(id: number, page: PartPage): Promise<IndexedPart[]>;
        /** The jobs that have parts in state queued or sent, the oldest first, with these parts only. */
        unfinished(page?: UnfinishedPage): Promise<{
            job: Job;
            parts: IndexedPart[];
        }[]>;
        /** One for each caller whose jobs have parts in state queued. */
        waiting(): Promise<WaitingWork[]>;
        /** Deletes finished jobs created before `before`, and all finished jobs but the newest `keep`. How many it deleted. */
        trim(limits: {
            before: number;
            keep: number;
        }): Promise<number>;
    };
    tokens: Accounts<Token>;
    users: Accounts<User>;
    /** The whole store, for backups and for moving to another adapter. */
    backup: {
        /** Whether the store is like a new one: no rows, and no id was ever assigned. */
        isEmpty(): Promise<boolean>;
        /** The state of this moment. Rows come after the rows that they name, apart from steps of procedures and tasks. */
        dump(): AsyncIterable<Entry>;
        /** Replaces everything with a dump, in one step. Dumps of earlier versions have no tokens, users, places and keys `by`. */
        load(dump: AsyncIterable<Entry>): Promise<void>;
    };
    /** Finishes pending writes and releases the engine. The store must not be used afterwards. */
    close(): Promise<void>;
}
/** Procedures or tasks. */
interface StepLists<Row extends Procedure> {
    /** In the order of the ids. */
    list(): Promise<Row[]>;
    find(id: number): Promise<Row | undefined>;
    /** The new id. */
    add(row: New<Row>): Promise<number | StepConflict>;
    update(row: Row): Promise<'updated' | 'unknown' | StepConflict>;
    /** One that a procedure, a task or a schedule names is `in use`. */
    delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>;
}
/** The default export of an adapter's file. Rejects with an error of one line when the store cannot be opened. */
export type OpenStore = (options: StoreOptions, log: StoreLog, limits?: StoreLimits) => Promise<Store>;
}

declare module 'fleet-host/stores/types' {
import type { Part } from 'fleet-host/stores/job-types';
import type { Records } from 'fleet-host/stores/records/all-records';
import type { Computer, Partition, Place } from 'fleet-host/stores/records/computer';
import type { Image } from 'fleet-host/stores/records/image';
export type * from 'fleet-host/stores/job-types';
export type { Account, Role, Token, User } from 'fleet-host/stores/records/account';
export type { Center, Repository, Room } from 'fleet-host/stores/records/center';
export type { Computer, Partition, Place } from 'fleet-host/stores/records/computer';
export type { Image } from 'fleet-host/stores/records/image';
export type { Job, JobConditions } from 'fleet-host/stores/records/job';
export type { Procedure, Step, Task, TaskOptions } from 'fleet-host/stores/records/procedure';
export type { Masks, Schedule, ScheduledCommand } from 'fleet-host/stores/records/scheduled-work';
export interface HardwareItem {
    type: string;
    description: string;
}
/** The software of a partition: the name of the operating system, and one line per program. */
export interface Software {
    os: string;
    programs: string[];
}
/** What an image has, and how many computers have a partition of it. */
export interface ImageUse {
    id: number;
    system: string;
    computers: number;
}
/** A partition that has an image; `version` and `since` are 0 when they are not known. */
export interface ImageCopy {
    image: number;
    version: number;
    since: number;
    ip: string;
    disk: number;
    partition: number;
}
export type ScopeNode = {
    name: string;
    type: 'center' | 'room';
    id: number;
    scope: readonly ScopeNode[];
} | {
    name: string;
    type: 'computer';
    id: number;
    scope: readonly [];
    ip: string;
};
/** A row to be added: the store assigns the id. */
export type New<Row> = Omit<Row, 'id'>;
/**
 * Frozen at every depth. Consoles read these values very often: an adapter should return the same object until something
 * in it changes, so that its JSON is generated only once.
 */
export type Frozen<Value> = Value extends object ? {
    readonly [Key in keyof Value]: Frozen<Value[Key]>;
} : Value;
/** New values of a computer's record: undefined ones change nothing, and null removes the place. */
export interface ComputerValues extends Partial<Omit<New<Computer>, 'place'>> {
    place?: Place | null;
}
export interface ComputerChange extends ComputerValues {
    id: number;
}
/** Why the computer at `index` of a list cannot be added or changed. */
export interface Conflict {
    index: number;
    reason: 'address taken' | 'unknown room' | 'unknown repository' | 'unknown computer' | 'repeated computer';
}
export interface DiskReport {
    /**
     * All rows of the computer. `filesystem` and `os` are names, '' means none. Of rows for the same partition the last one
     * is stored.
     */
    rows: (Omit<Partition, 'filesystem' | 'os' | 'image' | 'software'> & {
        filesystem: string;
        os: string;
    })[];
    /** Stored only if the computer has none yet. */
    serial_number: string;
}
/** The agent's report about an image that it created from one of its partitions. */
export interface CreatedImage extends Pick<Image, 'id' | 'datasize' | 'clonator' | 'compressor' | 'filesystem'> {
    disk: number;
    partition: number;
    software: Software;
    /** The image's new version, and the time in epoch milliseconds; 0 when they are not known. */
    version: number;
    at: number;
}
/** An image that an agent has written to a partition; `version` and `at` as above. */
export interface RestoredImage extends Pick<CreatedImage, 'id' | 'disk' | 'partition' | 'version' | 'at'> {
}
/** May change while the store is open. */
export interface StoreLimits {
    /** Bytes that the outputs of all parts may take; the oldest ones are dropped first. */
    outputs_bytes: number;
}
/** The collections of a dump. A list that several computers share occurs once, under its id. */
export interface Collections extends Records {
    systems: {
        id: number;
        name: string;
    };
    filesystems: {
        id: number;
        name: string;
    };
    hardware: {
        id: number;
        items: HardwareItem[];
    };
    software: {
        id: number;
    } & Software;
    /** Under the computer's id. */
    partitions: {
        id: number;
        rows: Partition[];
    };
    /** Under the job's id: some consecutive parts, of which the first has the index `from`. */
    parts: {
        id: number;
        from: number;
        parts: Part[];
    };
}
/** A collection's row, or the last id that the collection assigned. */
export type Entry = readonly [keyof Collections, Collections[keyof Collections] | number];
}
