/**
 * A journaling library: logs of messages and packets, and a store of keys and values. The exported packages are the
 * public face; docs/api.md lists their types by what a user wants to do.
 */
module io.persist.core {
    // Users pass and get its buffers.
    requires transitive org.agrona;

    // Each of these is used where it is there, and done without where it is not. Annotations are for compilers.
    requires static jdk.jfr;
    requires static jdk.management;
    requires static jdk.unsupported;
    requires static org.jspecify;

    exports io.persist;
    exports io.persist.codec;
    exports io.persist.error;
    exports io.persist.file;
    exports io.persist.log;
    exports io.persist.log.read;
    exports io.persist.monitor;
    exports io.persist.packet;
    exports io.persist.store;
    exports io.persist.store.read;
    exports io.persist.store.transaction;

    // For libraries of this project, in the same version.
    exports io.persist.cursor to
            io.persist.tools;
    exports io.persist.event to
            io.persist.tools;
    exports io.persist.file.disk to
            io.persist.shard,
            io.persist.tools;
    exports io.persist.format to
            io.persist.shard,
            io.persist.tools;
    exports io.persist.format.checkpoint to
            io.persist.tools;
    exports io.persist.format.control to
            io.persist.tools;
    exports io.persist.log.control to
            io.persist.tools;
    exports io.persist.log.recovery to
            io.persist.tools;
    exports io.persist.log.retention to
            io.persist.tools;
    exports io.persist.log.segment to
            io.persist.tools;
    exports io.persist.log.thread to
            io.persist.tools;
    exports io.persist.memory to
            io.persist.tools;
    exports io.persist.store.checkpoint to
            io.persist.tools;
    exports io.persist.store.engine to
            io.persist.tools;
    exports io.persist.store.state to
            io.persist.tools;
}
