package io.persist.shard.machine;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Version;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.StateBytes;
import io.persist.shard.state.StateBytes.Header;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes states of the versions of one shard. */
final class VersionReader {

    private static final int AT_ONCE = 256;
    private static final int ATTEMPTS = 100;

    private final Consensus consensus;
    private final String id;

    VersionReader(Consensus consensus, String id) {
        this.consensus = consensus;
        this.id = id;
    }

    /** The newest state; {@code known} is one that is not newer. Null if the shard does not exist. */
    @Nullable
    Known newest(@Nullable Known known) {
        Known followed = known == null ? null : follow(known);
        return followed != null ? followed : fromWhole();
    }

    /** Null if versions that follow {@code known} were truncated. */
    private @Nullable Known follow(Known known) {
        Known last = known;
        while (true) {
            List<Version> news = consensus.scan(id, last.version() + 1, AT_ONCE);
            if (news.isEmpty()) {
                return last;
            }
            if (news.get(0).number() != last.version() + 1) {
                return null;
            }
            for (Version version : news) {
                last = next(last, version);
            }
            if (news.size() < AT_ONCE) { // what came later is newer than the newest one of this call
                return last;
            }
        }
    }

    /** The versions below the last whole one may be truncated at any time; then there is another whole one. */
    private @Nullable Known fromWhole() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Version head = consensus.head(id);
            if (head == null) {
                return null;
            }
            long whole = StateBytes.readHeader(id, head.data()).whole();
            List<Version> first = consensus.scan(id, whole, 1);
            if (!first.isEmpty() && first.get(0).number() == whole) {
                Known followed = follow(next(null, first.get(0)));
                if (followed != null) {
                    return followed;
                }
            }
        }
        throw new DamagedShardException(
                "shard=" + id + " has no whole version; restore the consensus from a copy", null);
    }

    private Known next(@Nullable Known before, Version version) {
        Header header = StateBytes.readHeader(id, version.data());
        if (header.version() != version.number()) {
            throw new DamagedShardException(
                    "shard=" + id + ": version " + version.number() + " has the bytes of " + header.version()
                            + "; restore the consensus from a copy",
                    null);
        }
        if (before != null && header.before() != before.checksum()) {
            throw isThere(before) ? parted(version.number(), before.version()) : lost(id, before.version());
        }
        ShardState state = StateBytes.read(id, before == null ? null : before.state(), version.data());
        return new Known(state, header.whole(), StateBytes.checksum(version.data()));
    }

    /**
     * Sees to it that the versions that are there are those that have led to {@code known}: as far as they were not
     * truncated, from the number {@code from} on.
     *
     * @throws DamagedShardException if others are in the place of some, or the newest are gone
     */
    void confirm(Known known, long from) {
        Version before = null;
        for (long next = from; next <= known.version(); next++) {
            List<Version> versions = consensus.scan(id, next, AT_ONCE);
            if (versions.isEmpty()) {
                throw lost(id, known.version());
            }
            for (Version version : versions) {
                next = version.number();
                if (next > known.version()) {
                    return;
                }
                confirm(before, version);
                if (next == known.version() && StateBytes.checksum(version.data()) != known.checksum()) {
                    throw lost(id, next);
                }
                before = version;
            }
        }
    }

    private void confirm(@Nullable Version before, Version version) {
        if (before == null || before.number() + 1 != version.number()) {
            return; // the one before was truncated
        }
        if (StateBytes.readHeader(id, version.data()).before() != StateBytes.checksum(before.data())) {
            throw parted(version.number(), before.number());
        }
    }

    private boolean isThere(Known known) {
        List<Version> found = consensus.scan(id, known.version(), 1);
        return !found.isEmpty()
                && found.get(0).number() == known.version()
                && StateBytes.checksum(found.get(0).data()) == known.checksum();
    }

    /** Each is there, but the one belongs to another history than the other: to open clients anew does not help. */
    private DamagedShardException parted(long version, long before) {
        return new DamagedShardException(
                "shard=" + id + ": version " + version + " does not follow version " + before
                        + " that is there, but another one of this number: clients went on after the consensus had gone"
                        + " back; close all clients, and restore the consensus from a copy, or take version " + version
                        + " and those above it out of it: what they have appended is lost then",
                null);
    }

    /** What the consensus had has another history than what it has now. */
    static DamagedShardException lost(String id, long version) {
        return new DamagedShardException(
                "shard=" + id + ": the consensus has lost version " + version
                        + ", which was there; restore it from a newer copy, or close all clients and open them to go on"
                        + " with what is there",
                null);
    }
}
