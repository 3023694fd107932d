package io.persist.shard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Main;
import io.persist.command.Command;
import io.persist.shard.BatchBuilder;
import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardReader;
import io.persist.shard.ShardWriter;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.ShardState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators see and do, at a place that clients have used. */
class ShardsVerbsTest {

    private static final Duration LONG_AGO = Duration.ofHours(3);

    @TempDir
    Path directory;

    private String blob;
    private String consensus;

    @BeforeEach
    void placeThem() {
        blob = "file://" + directory.resolve("objects");
        consensus = "journal://" + directory.resolve("journal");
    }

    private Ended shards(String verb) {
        return Ended.of("shards " + verb.replaceFirst("( |$)", " " + blob + " " + consensus + "$1"));
    }

    private List<Path> objects() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("objects"))) {
            return files.sorted().toList();
        }
    }

    /** A client as it was so long ago, which does no upkeep and writes objects whenever it can. */
    private ShardClient client(Duration ago) {
        return ShardClient.open(
                blob,
                consensus,
                ShardConfig.builder()
                        .upkeep(ShardConfig.Upkeep.BY_CALL)
                        .inlineBatchBytes(0)
                        .rollupEvery(4)
                        .clock(Clock.fixed(Instant.now().minus(ago), ZoneOffset.UTC))
                        .build());
    }

    private static Shard<String, String> shard(ShardClient client) {
        return client.shard("s1", Codec.utf8(), Codec.utf8());
    }

    /** Appends one batch for each time from {@code from} on. */
    private static void append(ShardWriter<String, String> writer, int from, int count) {
        for (long time = from; time < from + count; time++) {
            writer.compareAndAppend(List.of(new Update<>("k" + time, "v", time, 1)), time, time + 1);
        }
    }

    private ShardState state() {
        try (Consensus opened = Locations.consensus(consensus)) {
            return ShardMachine.look(opened, "s1");
        }
    }

    private void use() {
        try (ShardClient client = client(Duration.ZERO)) {
            append(shard(client).writer(), 0, 3);
        }
    }

    @Test
    void shouldListAndShowWithoutChangingAnything() throws IOException {
        try (ShardClient client = client(Duration.ZERO)) {
            Shard<String, String> shard = shard(client);
            append(shard.writer(), 0, 3);
            shard.since("hold").compareAndDowngradeSince(0, 7, Frontier.at(1));
            ShardReader<String, String> reader = shard.reader();
            reader.downgradeSince(Frontier.at(2));
            client.shard("s2", Codec.bytes(), Codec.bytes());

            String list = shards("list").isWell().out(); // the same process may have the journal open twice
            assertThat(list.lines().map(line -> line.replaceAll(" +", " ")))
                    .hasSize(3)
                    .anyMatch(line -> line.matches("s1 1 3 [0-9]+ 3 3 [0-9]+ B 3"))
                    .anyMatch(line -> line.matches("s2 0 0 1 0 0 0 B 0"));
            String show = shards("show s1").isWell().out();
            assertThat(show)
                    .contains("codecs    utf8 for keys, utf8 for values", "since     1\n", "upper     3\n")
                    .contains("    [1, 2)  since 0, 1 updates of ", "in 1 runs and 1 objects")
                    .containsPattern("states    4 to [0-9]+, whole: 4|states    1 to [0-9]+, whole: 1, [0-9]+")
                    .containsPattern(
                            "    r[0-9a-f-]+  since 2, holds version [0-9]+, heard [0-9]+ s ago, its lease has")
                    .containsPattern("    w[0-9a-f-]+  its last append made 3, heard ")
                    .contains("    hold  since 1, token 7\n");
            assertThat(shards("show s1").out().replaceAll("[0-9]+ s ", "")).isEqualTo(show.replaceAll("[0-9]+ s ", ""));
            assertThat(shards("list").out()).isEqualTo(list);
        }
    }

    @Test
    void shouldFindWhatIsMissingDamagedOrOfAnotherShard() throws IOException {
        use();
        assertThat(shards("verify").isWell().out()).contains("1 shards, 3 parts of", "all is well");
        List<Path> objects = new ArrayList<>(objects());
        byte[] first = Files.readAllBytes(objects.get(0));
        Files.write(objects.get(1), first); // whole, and another one
        first[first.length / 2] ^= 1;
        Files.write(objects.get(0), first);
        Files.delete(objects.get(2));

        Ended ended = shards("verify");
        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.lines())
                .hasSize(4)
                .anyMatch(line -> line.contains("is missing; restore it"))
                .anyMatch(line -> line.contains("is damaged"))
                .anyMatch(line -> line.endsWith("3 findings"));
        Ended gc = shards("gc");
        assertThat(gc.code()).isEqualTo(Command.FAILED);
        assertThat(gc.out()).contains("1 objects are missing", "nothing of it was removed");
        assertThat(objects()).hasSize(2);
    }

    @Test
    void shouldServeOthersBesideOneOfANewerFormat() {
        use();
        addOneOfANewerFormat();
        Ended list = shards("list");
        assertThat(list.code()).isEqualTo(Command.FAILED);
        assertThat(list.out())
                .containsPattern("s1 +0 +3 ")
                .contains("shard=s0 has format 2147483647", "use a newer one");
        Ended show = shards("show");
        assertThat(show.code()).isEqualTo(Command.FAILED);
        assertThat(show.out()).contains("shard s1\n", "upper     3\n", "shard=s0 has format 2147483647");
    }

    /** By name it comes first: what was left of the others would never be removed. */
    @Test
    void shouldCollectOthersBesideOneOfANewerFormat() throws IOException {
        ShardClient killed = client(LONG_AGO); // never closed: the leases stay
        append(shard(killed).writer(), 0, 3);
        addOneOfANewerFormat();
        for (String verb : List.of("gc --dry-run", "gc")) {
            Ended gc = shards(verb);
            assertThat(gc.code()).isEqualTo(Command.FAILED);
            assertThat(gc.out())
                    .contains("shard=s0 has format 2147483647")
                    .containsPattern("remove[d]? 1 leases, 0 objects");
        }
        killed.close();
    }

    private void addOneOfANewerFormat() {
        try (Consensus newer = Locations.consensus(consensus)) {
            byte[] bytes = newer.head("s1").data().clone();
            ByteBuffer.wrap(bytes).putInt(Integer.BYTES, Integer.MAX_VALUE); // the format
            newer.compareAndSet("s0", Consensus.NONE, new Version(0, checked(bytes)));
        }
    }

    /** With the checksum of what they are now. */
    private static byte[] checked(byte[] version) {
        CRC32C crc = new CRC32C();
        crc.update(version, 0, version.length - Integer.BYTES);
        ByteBuffer.wrap(version).putInt(version.length - Integer.BYTES, (int) crc.getValue());
        return version;
    }

    /** In the last version, the first that has the part, it is told too short. */
    @Test
    void shouldFindARowThatIsLongerThanTheStateSays() {
        ShardClient killed = client(Duration.ZERO); // never closed: the append is what happened last
        Shard<String, String> shard = shard(killed);
        append(shard.writer(), 0, 1);
        BatchPart part = state().batches().get(0).parts().get(0);
        String right = consensus;
        consensus = "journal://" + directory.resolve("wrong");
        try (Consensus from = Locations.consensus(right);
                Consensus to = Locations.consensus(consensus)) {
            long last = Consensus.NONE;
            for (Version version : from.scan("s1", 0, 100)) {
                to.compareAndSet("s1", last, new Version(version.number(), tooShort(version.data(), part)));
                last = version.number();
            }
        }
        Ended ended = shards("verify");
        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.lines())
                .hasSize(2)
                .anyMatch(line -> line.endsWith(
                        "longest row of " + part.longest() + " bytes in place of " + (part.longest() - 1)));
        killed.close();
    }

    private static byte[] tooShort(byte[] version, BatchPart part) {
        ByteBuffer bytes = ByteBuffer.wrap(version.clone());
        for (int at = 0; at <= version.length - 3 * Integer.BYTES; at++) {
            bytes.position(at);
            if (bytes.getInt() == part.bytes()
                    && bytes.getInt() == part.updates()
                    && bytes.getInt() == part.longest()) {
                bytes.putInt(at + 2 * Integer.BYTES, part.longest() - 1);
            }
        }
        return checked(bytes.array());
    }

    /** Times that have moved to since may be behind the end of their batch. */
    @Test
    void shouldFindNothingWrongWhereTimesHaveMovedToSince() throws Exception {
        try (ShardClient client = client(Duration.ZERO)) {
            Shard<String, String> shard = shard(client);
            append(shard.writer(), 0, 30);
            shard.reader().downgradeSince(Frontier.at(100));
            shard.maintain();
            assertThat(state().batches().get(0).since()).isEqualTo(Frontier.at(100));
        }
        assertThat(shards("verify").isWell().out()).contains("all is well");
    }

    /** Of a client that was killed hours ago: its leases, what it had built and not appended, and what was merged. */
    @Test
    void shouldRemoveWhatNothingRefersTo() throws IOException {
        ShardClient killed = client(LONG_AGO); // never closed: the leases stay
        Shard<String, String> shard = shard(killed);
        ShardWriter<String, String> writer = shard.writer();
        ShardReader<String, String> reader = shard.reader();
        append(writer, 0, 9);
        BatchBuilder<String, String> builder = writer.batch(Frontier.at(9));
        builder.add("lost", "", 9, 1).finish(Frontier.at(10));
        assertThat(shard.maintain().merges()).isEqualTo(1);
        assertThat(reader.since()).isEqualTo(Frontier.MINIMUM);
        List<Path> before = objects();
        assertThat(before).hasSizeGreaterThan(2);

        String would = shards("gc --dry-run").isWell().out();
        assertThat(objects()).isEqualTo(before);
        assertThat(would).contains("would remove the lease of r", "would remove the lease of w");
        String did = shards("gc").isWell().out();
        assertThat(would.replace("would remove", "removed").replaceAll("[0-9]+ states", "states"))
                .isEqualTo(did.replaceAll("[0-9]+ states", "states"));
        assertThat(objects()).hasSizeLessThan(before.size());
        assertThat(did)
                .contains("removed " + "3 leases, " + (before.size() - objects().size()) + " objects of ");
        assertThat(shards("show s1").out()).contains("readers   0", "writers   0", "garbage   0");
        assertThat(shards("verify").isWell().out()).contains("all is well").doesNotContain("named by no state");
        assertThat(shards("gc").isWell().out()).isEqualTo("removed 0 leases, 0 objects of 0 B, 0 states\n");
        killed.close();
    }

    /** The last reader is gone, and a hold has given everything up. */
    @Test
    void shouldSayBeforeWhatItRemovesOfAShardThatNobodyCanRead() throws IOException {
        ShardClient killed = client(LONG_AGO); // never closed: the leases stay
        Shard<String, String> shard = shard(killed);
        ShardReader<String, String> reader = shard.reader();
        append(shard.writer(), 0, 3);
        shard.since("hold").compareAndDowngradeSince(0, 1, Frontier.EMPTY);
        assertThat(reader.since()).isEqualTo(Frontier.MINIMUM);

        String would = shards("gc --dry-run").isWell().out();
        assertThat(objects()).hasSize(3);
        assertThat(shards("gc").isWell().out().replaceAll("[0-9]+ states", "states"))
                .isEqualTo(would.replace("would remove", "removed").replaceAll("[0-9]+ states", "states"))
                .contains("removed 2 leases, 3 objects of ");
        assertThat(objects()).isEmpty();
        killed.close();
    }

    /** A client that lives loses nothing: neither its leases, nor what it is about to append. */
    @Test
    void shouldLeaveALiveClientAlone() throws Exception {
        try (ShardClient live = client(Duration.ZERO)) {
            Shard<String, String> shard = shard(live);
            ShardWriter<String, String> writer = shard.writer();
            ShardReader<String, String> reader = shard.reader();
            append(writer, 0, 3);
            var batch = writer.batch(Frontier.at(3)).add("late", "", 3, 1).finish(Frontier.at(4));
            List<Path> before = objects();

            shards("gc").isWell();

            assertThat(objects()).isEqualTo(before);
            assertThat(writer.compareAndAppendBatch(batch, Frontier.at(3)).isAppended())
                    .isTrue();
            try (var snapshot = reader.snapshot(3, Duration.ofMinutes(1))) {
                assertThat(snapshot.toList()).hasSize(4);
            }
        }
    }

    @Test
    void shouldLeaveAloneWhatIsNoPart() throws IOException {
        use();
        Files.write(directory.resolve("objects").resolve("s1%2fnotes.blob"), new byte[1]);
        List<Path> before = objects();
        assertThat(shards("gc").isWell().out()).contains(" 0 objects of ");
        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void shouldLeaveObjectsOfOtherConsensusesAlone() throws IOException {
        use();
        consensus = "journal://" + directory.resolve("other");
        try (ShardClient other = client(Duration.ZERO)) {
            other.shard("s2", Codec.utf8(), Codec.utf8());
        }
        List<Path> before = objects();

        assertThat(shards("gc").isWell().out())
                .contains("3 objects of ", "are of no shard of this consensus", "and stay");
        assertThat(shards("verify").isWell().out()).contains("are of no shard of this consensus");
        assertThat(objects()).isEqualTo(before);
    }

    /** It was made before the other one had objects. */
    @Test
    void shouldRemoveNothingOfAShardOfTheSameIdInAnotherConsensus() throws IOException {
        String first = consensus;
        consensus = "journal://" + directory.resolve("other");
        try (ShardClient other = client(Duration.ZERO)) {
            shard(other);
        }
        consensus = first;
        use();
        List<Path> before = objects();
        shards("verify").isWell();

        consensus = "journal://" + directory.resolve("other");
        String why = "of a shard of this id that another consensus has";
        assertThat(shards("gc").code()).isEqualTo(1);
        assertThat(shards("gc").out()).contains("the blob has 3 objects, s1/w", why, " 0 objects of ");
        assertThat(shards("verify").code()).isEqualTo(1);
        assertThat(shards("verify").out()).contains("3 objects, s1/w", why);
        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void shouldSayWhatIsNotThere() throws IOException {
        use();
        assertThat(shards("show s9").err()).contains("there is no shard s9 in the consensus; it has 1");
        consensus = "journal://" + directory.resolve("none");
        Ended ended = shards("list");
        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err()).contains("none is no directory").hasLineCount(1);
        assertThat(directory.resolve("none")).doesNotExist();
    }

    /** As the directory above it: to open a journal there would make one among other files. */
    @Test
    void shouldMakeNoJournalWhereThereIsNone() throws IOException {
        use();
        for (String scheme : List.of("journal", "JOURNAL")) {
            consensus = scheme + "://" + directory;
            Ended ended = shards("list");
            assertThat(ended.code()).isEqualTo(Command.FAILED);
            assertThat(ended.err())
                    .contains(" is no journal (no segments are there)")
                    .hasLineCount(1);
        }
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("objects", "journal");
    }

    /** Another process has the journal. */
    @Test
    void shouldSayThatTheJournalIsOpenElsewhere() throws Exception {
        use();
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "shard",
                        "--blob-uri",
                        blob,
                        "--consensus-uri",
                        consensus,
                        "--dir",
                        directory.toString(),
                        "--runtime",
                        "1h")
                .redirectErrorStream(true)
                .start();
        try (var says = other.inputReader()) {
            String line = says.readLine();
            while (line != null && !line.contains("writer 0 has written")) {
                line = says.readLine();
            }
            assertThat(line).as("what the other process says").isNotNull();

            Ended ended = shards("list");
            assertThat(ended.code()).isEqualTo(Command.FAILED);
            assertThat(ended.err())
                    .contains("journal=" + directory.resolve("journal"))
                    .hasLineCount(1);
            other.destroy(); // as Ctrl-C
            assertThat(other.waitFor()).isNotZero();
        } finally {
            other.destroyForcibly();
        }
        shards("list").isWell(); // how much of it was cleaned up depends on how busy the machine is
    }
}
