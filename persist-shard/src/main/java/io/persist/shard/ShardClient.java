package io.persist.shard;

import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.PartWriters;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.upkeep.Attempts;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shards of one place: a blob that has their data, and a consensus that has their states.
 *
 * <p><b>Threads:</b> any.
 */
public final class ShardClient implements AutoCloseable {

    private static final Pattern ID = Pattern.compile("[a-z0-9-]{1,64}");

    private final Blob blob;
    private final Consensus consensus;
    private final ShardConfig config;
    private final OpenShards shards = new OpenShards(this::requestUpkeep);
    private final PartWriters writers;

    /** Beside upkeep, which a merge may keep busy for longer than a lease. */
    private final @Nullable Renewals leases;

    private final @Nullable BackgroundThread upkeep;

    private volatile boolean isClosed;

    private ShardClient(Blob blob, Consensus consensus, ShardConfig config) {
        this.blob = blob;
        this.consensus = consensus;
        this.config = config;
        boolean hasThreads = config.upkeep() == ShardConfig.Upkeep.BACKGROUND;
        this.writers = hasThreads ? PartWriters.start(config.partBytes()) : PartWriters.none(config.partBytes());
        this.leases = hasThreads ? new Renewals(shards, () -> isClosed) : null;
        this.upkeep = hasThreads ? startUpkeep() : null;
    }

    private BackgroundThread startUpkeep() {
        BackgroundThread started = null;
        try {
            started = new BackgroundThread("shard-upkeep", this::keepUp);
            return started;
        } finally {
            if (started == null && leases != null) {
                leases.close();
            }
        }
    }

    /**
     * A client with every default.
     *
     * @param blobUri {@code mem://}, {@code mem://name} or {@code file:///directory}, or what another module knows
     * @param consensusUri {@code mem://}, {@code mem://name} or {@code journal:///directory}, or what another module
     *     knows
     * @throws IllegalArgumentException if no module knows the scheme
     * @throws LocationException if a place cannot be opened
     */
    public static ShardClient open(String blobUri, String consensusUri) {
        return open(blobUri, consensusUri, ShardConfig.builder().build());
    }

    /** The same with settings. */
    public static ShardClient open(String blobUri, String consensusUri, ShardConfig config) {
        Blob blob = Locations.blob(blobUri);
        try {
            return open(blob, consensusUri, config);
        } catch (RuntimeException | Error noConsensus) {
            blob.close();
            throw noConsensus;
        }
    }

    private static ShardClient open(Blob blob, String consensusUri, ShardConfig config) {
        Consensus consensus = Locations.consensus(consensusUri);
        try {
            return open(blob, consensus, config);
        } catch (RuntimeException | Error noThreads) {
            consensus.close();
            throw noThreads;
        }
    }

    /**
     * A client of a blob and a consensus that were made by other means; it closes them.
     *
     * @throws OutOfMemoryError also if the system has no threads for it; then both are as they were
     */
    public static ShardClient open(Blob blob, Consensus consensus, ShardConfig config) {
        return new ShardClient(blob, consensus, config);
    }

    /** An id for a new shard: {@code s} and 36 random characters. */
    public static String newId() {
        return OpenShard.newId('s');
    }

    /**
     * The shard {@code id}, which is created if it does not exist.
     *
     * @param id 1 to 64 small letters, digits and dashes
     * @throws io.persist.shard.error.CodecMismatchException if it was created with codecs of other names
     * @throws io.persist.shard.error.DamagedShardException if its state cannot be read; if the blob has objects of it
     *     and the consensus does not know it, or the blob has none of the objects that its state names: then they may
     *     not belong together, and nothing was changed
     * @throws LocationException if a place does not answer
     * @throws IllegalStateException if the client is closed
     */
    public <K, V> Shard<K, V> shard(String id, Codec<K> keys, Codec<V> values) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("id=" + id + ": 1 to 64 small letters, digits and dashes");
        }
        checkOpen(); // before the places are asked
        PartStore store = new PartStore(blob, id, config.retryTime(), writers);
        ShardMachine machine = ShardMachine.open(
                consensus, store, keys.name(), values.name(), config.rollupEvery(), config.retryTime());
        return new Shard<>(id, open(id, machine, store), keys, values);
    }

    private synchronized void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the client is closed");
        }
    }

    private synchronized OpenShard open(String id, ShardMachine machine, PartStore store) {
        checkOpen();
        return shards.of(id, () -> new OpenShard(id, machine, store, config, shards));
    }

    /** The ids of all shards of the place. */
    public List<String> ids() {
        return consensus.keys();
    }

    /**
     * Why upkeep in the background, or the renewal of leases, failed the last time; null if it did not. It is tried
     * again each second. Failures of upkeep in more than one shard are suppressed ones of the first.
     *
     * @return a {@link io.persist.shard.error.ShardException}, or what else was thrown, such as an {@link
     *     OutOfMemoryError}
     */
    public @Nullable Throwable upkeepFailure() {
        Throwable failed = upkeep == null ? null : upkeep.failure();
        return failed != null || leases == null ? failed : leases.failure();
    }

    private void requestUpkeep() {
        if (upkeep != null) {
            upkeep.request();
        }
    }

    /**
     * Each shard has its turn, whatever becomes of others; says whether there may be more to merge. A thread that
     * closes the client waits for one of them at most.
     */
    private boolean keepUp(Attempts attempts) {
        boolean isMore = false;
        writers.trim();
        for (OpenShard shard : shards.all()) {
            if (isClosed) {
                return false;
            }
            isMore |= attempts.get(() -> shard.keepUp().merges() > 0, false);
        }
        return isMore;
    }

    /**
     * Gives up all handles and closes the places. Once a lease cannot be given up, that one and the rest run out: so it
     * takes a few retry times at most to close a client of a place that does not answer, besides the merge that is
     * under way. Whoever uses a shard or a handle of it after that is told by an {@link IllegalStateException}.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        if (upkeep != null) {
            upkeep.close();
        }
        if (leases != null) { // behind upkeep, which may take a while to end
            leases.close();
        }
        try {
            shards.all().forEach(OpenShard::close);
        } catch (LocationException leasesRunOut) {
            // what is registered goes when its time is over
        } finally {
            shards.end();
            writers.close();
            closePlaces();
        }
    }

    private void closePlaces() {
        try {
            consensus.close();
        } finally {
            blob.close();
        }
    }
}
