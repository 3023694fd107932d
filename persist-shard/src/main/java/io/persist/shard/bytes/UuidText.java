package io.persist.shard.bytes;

/** How a UUID is written in names: as {@link java.util.UUID#toString} does. */
public final class UuidText {

    /** A regular expression for all of them and for little else, without groups: part of the pattern of a name. */
    public static final String PATTERN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private UuidText() {}
}
