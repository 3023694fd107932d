package io.persist.peers.engine;

/** What an engine finds for its messages. */
public enum Space {
    /** What the engine does by default, in an empty directory: whatever is missing is made while messages come. */
    UNPREPARED,
    /** Those engines that can have filled all that will be needed before, as far as they know how much that is. */
    PREPARED
}
