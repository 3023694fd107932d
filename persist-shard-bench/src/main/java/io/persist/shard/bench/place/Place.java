package io.persist.shard.bench.place;

import io.persist.bench.host.DirectoryTree;
import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardReader;
import io.persist.shard.ShardWriter;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A blob and a consensus for the time of a program. Both are open from the beginning to the end, so that what is in
 * memory stays; clients share them.
 */
public final class Place implements AutoCloseable {

    /** The most attempts to end a shard to which others write, too. */
    private static final int ATTEMPTS = 100;

    private final String name;
    private final Blob blob;
    private final Consensus consensus;
    private final List<? extends Closeable> belongings;

    /** Where all of its files are, those of its servers too; empty if it has none, or they are not its own. */
    private final List<Path> directories;

    private final Traffic traffic = new Traffic();

    /**
     * A place of these, which it closes.
     *
     * @param name for people
     * @param directories where all of its files are; empty if it has none of its own
     * @param belongings what is closed behind them, in this order: servers, and directories that are deleted
     */
    public Place(
            String name, Blob blob, Consensus consensus, List<Path> directories, List<? extends Closeable> belongings) {
        this.name = name;
        this.blob = blob;
        this.consensus = consensus;
        this.directories = List.copyOf(directories);
        this.belongings = List.copyOf(belongings);
    }

    /** For people: the preset, or "given". */
    public String name() {
        return name;
    }

    /** The blob; to close it does nothing. */
    public Blob blob() {
        return new CountedBlob(blob, traffic);
    }

    /** The consensus; to close it does nothing. */
    public Consensus consensus() {
        return new CountedConsensus(consensus, traffic);
    }

    /** What all of the program has asked for. */
    public Traffic traffic() {
        return traffic;
    }

    /** Bytes of all files of the place; -1 if it has none of its own. */
    public long fileBytes() {
        return directories.isEmpty()
                ? -1
                : directories.stream().mapToLong(DirectoryTree::bytes).sum();
    }

    /** A client with these settings. */
    public ShardClient client(ShardConfig config) {
        return ShardClient.open(blob(), consensus(), config);
    }

    /** A client with the default settings. */
    public ShardClient client() {
        return client(ShardConfig.builder().build());
    }

    /** A shard that is ended when this is closed. */
    @FunctionalInterface
    public interface Grave extends AutoCloseable {

        @Override
        void close();
    }

    /** Ends a shard later. */
    public Grave grave(String id) {
        return () -> bury(id);
    }

    /** Ends a shard whose keys and values are bytes, so that but one short version is left of it. */
    public void bury(String id) {
        ShardConfig config = ShardConfig.builder()
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .rollupEvery(1)
                .build();
        try (ShardClient client = client(config)) {
            Shard<byte[], byte[]> shard = client.shard(id, Codec.bytes(), Codec.bytes());
            try (ShardReader<byte[], byte[]> reader = shard.reader();
                    ShardWriter<byte[], byte[]> writer = shard.writer()) {
                Frontier upper = writer.upper();
                for (int i = 0; i < ATTEMPTS && !upper.isEmpty(); i++) {
                    upper = writer.compareAndAppend(List.of(), upper, Frontier.EMPTY)
                            .upper();
                }
                reader.downgradeSince(Frontier.EMPTY);
            }
            shard.maintain();
        }
    }

    /** Closes both, and deletes what was made for the program. */
    @Override
    public void close() throws IOException {
        try {
            try {
                consensus.close();
            } finally {
                blob.close();
            }
        } finally {
            close(belongings);
        }
    }

    /** All of them, also if one cannot be. */
    static void close(List<? extends Closeable> all) throws IOException {
        @Nullable IOException failure = null;
        for (Closeable each : all) {
            try {
                each.close();
            } catch (IOException failed) {
                if (failure == null) {
                    failure = failed;
                } else {
                    failure.addSuppressed(failed);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
