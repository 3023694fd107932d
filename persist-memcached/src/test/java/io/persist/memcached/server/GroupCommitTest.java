package io.persist.memcached.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.memcached.cache.Counters.Counter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The connections of an event loop share a commit: each round of the loop has one. */
class GroupCommitTest {

    private static final String SET = "set a 0 0 1\r\nb\r\n";

    private final LateItems items = new LateItems();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Wire first = new Wire(Wire.service(items, () -> 1_800_000_000L, new PrintStream(said)));
    private final Wire second = new Wire(first);

    @Test
    void shouldCommitOnceForAllSocketsThatAreReady() {
        first.receive(SET);
        second.receive(SET);
        assertThat(items.waits()).as("the loop has not read all yet").isZero();
        assertThat(first.answers() + second.answers()).isEmpty();
        assertThat(items.waits()).isEqualTo(1);
        items.makeSafe();
        assertThat(first.answers()).isEqualTo("STORED\r\n");
        assertThat(second.answers()).isEqualTo("STORED\r\n");
    }

    @Test
    void shouldBeginTheNextCommitWhenThisOneHasEnded() {
        first.send(SET);
        second.send(SET);
        first.send(SET);
        assertThat(items.waits()).isEqualTo(1);
        items.makeSafe(1);
        assertThat(first.answers()).isEqualTo("STORED\r\n");
        assertThat(items.waits()).isEqualTo(2);
        assertThat(second.answers()).isEmpty();
        items.makeSafe();
        assertThat(first.answers()).isEqualTo("STORED\r\n");
        assertThat(second.answers()).isEqualTo("STORED\r\n");
    }

    @Test
    void shouldAnswerTheOthersIfAConnectionOfTheGroupBreaks() {
        first.receive("set big 0 0 100000\r\n" + "x".repeat(100_000) + "\r\n" + "get big\r\n".repeat(5));
        second.receive(SET);
        assertThat(first.answers() + second.answers()).isEmpty();
        items.breakGets(); // those that wait for room fail when there is some
        items.makeSafe();
        assertThat(first.answers()).contains("STORED");
        assertThat(first.channel.isOpen()).isFalse();
        assertThat(said.toString(US_ASCII)).contains("as no items may fail");
        assertThat(second.answers()).isEqualTo("STORED\r\n");
        assertThat(second.channel.isOpen()).isTrue();
    }

    @Test
    void shouldAnswerTheOthersIfTheAnswersOfOneCannotBeSent() {
        first.receive(SET);
        second.receive(SET);
        assertThat(first.answers() + second.answers()).isEmpty();
        items.failIsSafe(new IllegalStateException("when it is sent"));
        items.makeSafe();
        assertThat(first.answers()).isEmpty();
        assertThat(first.channel.isOpen()).isFalse();
        assertThat(said.toString(US_ASCII)).contains("when it is sent");
        assertThat(second.answers()).isEqualTo("STORED\r\n");
        assertThat(second.send(SET)).isEmpty();
        items.makeSafe();
        assertThat(second.answers()).as("of the next commit").isEqualTo("STORED\r\n");
    }

    @Test
    void shouldGoOnAfterACommitThatCannotBegin() {
        RuntimeException failure = new IllegalStateException("as the wait is made");
        first.receive(SET);
        items.failWhenSafe(failure);
        assertThat(first.answers()).isEmpty();
        assertThat(first.channel.isOpen()).isFalse();
        assertThat(first.service.failure()).isCompletedWithValue(failure);
        second.send(SET);
        items.makeSafe();
        assertThat(second.answers()).as("of the next commit").isEqualTo("STORED\r\n");
    }

    @Test
    void shouldGoOnAfterATaskThatTheLoopDidNotTake() {
        first.refuseTasks(new OutOfMemoryError("for a task"));
        assertThat(first.send(SET)).isEmpty();
        assertThat(first.channel.isOpen()).isFalse();
        first.refuseTasks(null);
        second.send(SET);
        items.makeSafe();
        assertThat(second.answers()).as("of the next commit").isEqualTo("STORED\r\n");
    }

    /** Clients would wait for ever. */
    @Test
    void shouldEndTheServerIfTheLoopCannotBeToldOfACommit() {
        first.send(SET);
        first.refuseTasks(new OutOfMemoryError("for a task"));
        items.makeSafe();
        assertThat(first.service.failure())
                .isCompletedWithValueMatching(
                        failure -> failure.toString().endsWith("java.lang.OutOfMemoryError: for a task"));
    }

    /** What each may hold is bounded, but there may be a thousand of them, and a device that is slow. */
    @Test
    void shouldBoundWhatAllConnectionsHoldTogether() {
        Wire writing = new Wire(first.service, 300_000);
        writing.send("set big 0 0 100000\r\n" + "x".repeat(100_000) + "\r\n");
        items.makeSafe();
        assertThat(writing.answers()).isEqualTo("STORED\r\n");
        List<Wire> others = Stream.generate(() -> new Wire(writing)).limit(10).toList();
        Wire gone = new Wire(writing);
        others.forEach(wire -> wire.receive(SET + "get big\r\nget big\r\n"));
        gone.receive(SET);
        assertThat(writing.answers()).isEmpty();
        assertThat(first.service.cache().counters().value(Counter.CMD_GET))
                .as("gets of 100 kB that were run")
                .isEqualTo(4);
        assertThat(others)
                .filteredOn(wire -> wire.channel.config().isAutoRead())
                .hasSizeLessThan(3);
        gone.close();

        Map<Wire, String> answers = new HashMap<>();
        for (int commit = 0; commit < others.size(); commit++) {
            items.makeSafe();
            others.forEach(wire -> answers.merge(wire, wire.answers(), String::concat));
        }
        String all = "STORED\r\n" + ("VALUE big 0 100000\r\n" + "x".repeat(100_000) + "\r\nEND\r\n").repeat(2);
        assertThat(others).allSatisfy(wire -> {
            assertThat(answers.get(wire)).isEqualTo(all);
            assertThat(wire.channel.config().isAutoRead()).isTrue();
        });
    }

    /** A set that comes in a packet of its own has a buffer of its own for eight bytes. */
    @Test
    void shouldBoundWhatTheBuffersTakeAndNotWhatIsInThem() {
        int most = 100_000;
        Wire writing = new Wire(first.service, most);
        List<Wire> all = Stream.concat(
                        Stream.of(writing),
                        Stream.generate(() -> new Wire(writing)).limit(9))
                .toList();
        int sets = 100;
        for (int i = 0; i < sets; i++) {
            all.forEach(wire -> wire.receive(SET));
        }
        long requests = all.stream().mapToLong(Wire::taken).sum(); // those that were not run, too
        assertThat(items.end()).as("sets that were run").isBetween(1L, most / 256L);
        assertThat(requests).isLessThan(most + (sets * 10 - items.end()) * 2 * SET.length());
        assertThat(all).noneMatch(wire -> wire.channel.config().isAutoRead());

        Map<Wire, String> answers = new HashMap<>();
        for (int commit = 0; commit < sets; commit++) {
            all.forEach(wire -> answers.merge(wire, wire.answers(), String::concat));
            items.makeSafe();
        }
        assertThat(answers.values()).containsOnly("STORED\r\n".repeat(sets));
        all.forEach(Wire::close);
    }

    /** Those whose answers were sent have more requests, and would take all the room for these again. */
    @Test
    void shouldServeAllInTurnThoughSomePipelineMoreThanThereIsRoomFor() {
        Wire writing = new Wire(first.service, 300_000);
        writing.send("set big 0 0 100000\r\n" + "x".repeat(100_000) + "\r\nset small 0 0 2\r\nok\r\n");
        items.makeSafe();
        writing.answers();
        List<Wire> greedy = List.of(new Wire(writing), new Wire(writing));
        Wire reads = new Wire(writing);
        Wire writes = new Wire(writing);
        greedy.forEach(wire -> wire.receive("gat 0 big\r\n".repeat(100)));
        reads.receive("get small\r\n");
        writes.receive(SET);

        Map<Wire, String> answers = new HashMap<>();
        for (int commit = 0; commit < 5; commit++) {
            List.of(greedy.get(0), greedy.get(1), reads, writes)
                    .forEach(wire -> answers.merge(wire, wire.answers(), String::concat));
            items.makeSafe();
        }
        assertThat(answers.get(reads)).isEqualTo("VALUE small 0 2\r\nok\r\nEND\r\n");
        assertThat(answers.get(writes)).isEqualTo("STORED\r\n");
        assertThat(greedy)
                .as("each has its turn, and neither is done")
                .allSatisfy(wire ->
                        assertThat(answers.get(wire).split("END\r\n", -1)).hasSizeBetween(3, 30));
    }

    /** The client would take what comes next for the rest of the answer. */
    @Test
    void shouldSendNoPartOfAnAnswerThoughNothingCanBeSaidOfTheFailure() {
        PrintStream full = new PrintStream(said) {
            @Override
            public void println(String line) {
                throw new OutOfMemoryError("for a line");
            }
        };
        Wire wire = new Wire(Wire.service(items, () -> 1_800_000_000L, full));
        wire.send(SET);
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("STORED\r\n");
        items.breakGetsAfter(1);
        assertThat(wire.send("get a a\r\n")).isEmpty();
        assertThat(wire.channel.isOpen()).isFalse();
    }

    @Test
    void shouldAnswerNobodyOfAGroupThatCannotBeMadeSafe() {
        first.receive(SET);
        second.receive(SET);
        first.answers();
        items.fail(new IOException("the device"));
        assertThat(first.answers() + second.answers()).isEmpty();
        assertThat(first.channel.isOpen()).isFalse();
        assertThat(second.channel.isOpen()).isFalse();
    }
}
