package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.persist.memcached.cache.Counters.Counter;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers wait until what they say is safe: in their order, and nobody else waits for them. */
class AnswersTest {

    private final LateItems items = new LateItems();
    private final Service service = Wire.service(items, () -> 1_800_000_000L);
    private final Wire wire = new Wire(service);

    @Test
    void shouldAnswerAChangeOnlyWhenItIsSafe() {
        assertThat(wire.send("set a 0 0 1\r\nb\r\n")).isEmpty();
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("STORED\r\n");
        assertThat(wire.send("incr n 1\r\ndelete z\r\n"))
                .as("nothing was changed")
                .isEqualTo("NOT_FOUND\r\nNOT_FOUND\r\n");
        for (String change : new String[] {
            "delete a", "flush_all", "set n 0 0 1\r\n1", "incr n 1", "touch n 9", "gat 9 n", "append n 0 0 1\r\n1"
        }) {
            assertThat(wire.send(change + "\r\n")).as(change).isEmpty();
            items.makeSafe();
            assertThat(wire.answers()).as(change).isNotEmpty();
        }
    }

    /** Else a power cut could bring back what a client was told is gone. */
    @ParameterizedTest
    @CsvSource({
        "delete a, delete a, NOT_FOUND",
        "delete a, touch a 9, NOT_FOUND",
        "delete a, gat 9 a, END",
        "delete a, incr a 1, NOT_FOUND",
        "delete a, decr a 1, NOT_FOUND",
        "delete a, replace a 0 0 1|b, NOT_STORED",
        "delete a, append a 0 0 1|b, NOT_STORED",
        "delete a, prepend a 0 0 1|b, NOT_STORED",
        "delete a, cas a 0 0 1 1|b, NOT_FOUND",
        "flush_all, delete a, NOT_FOUND",
        "set a 0 0 1|c, add a 0 0 1|b, NOT_STORED",
        "set a 0 0 1|c, cas a 0 0 1 1|b, EXISTS",
        "set a 0 0 1|c, incr a 1, CLIENT_ERROR cannot increment or decrement non-numeric value"
    })
    void shouldHoldWhatTellsOfAnUnsafeChangeOfAnotherClient(String change, String command, String answer) {
        Wire other = new Wire(service);
        Wire reader = new Wire(service);
        wire.send("set a 0 0 1\r\n1\r\n");
        items.makeSafe();
        wire.answers();
        assertThat(other.send(lines(change))).isEmpty();
        assertThat(wire.send(lines(command))).isEmpty();
        assertThat(reader.send("get a\r\n")).as("a get waits for nobody").endsWith("END\r\n");
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo(answer + "\r\n");
        assertThat(other.answers()).isNotEmpty();
    }

    private static String lines(String command) {
        return command.replace("|", "\r\n") + "\r\n";
    }

    /** The answer says that it has taken the item away. */
    @Test
    void shouldHoldTheRefusalOfALongItemWhoseStaleOneIsGone() {
        wire.send("set a 0 0 1\r\n1\r\n");
        items.makeSafe();
        wire.answers();
        new Wire(service).send("delete a\r\n");
        int length = (1 << 20) + 1;
        assertThat(wire.send("set a 0 0 " + length + "\r\n" + "x".repeat(length) + "\r\n"))
                .isEmpty();
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("SERVER_ERROR object too large for cache\r\n");
    }

    @Test
    void shouldKeepTheOrderOfAConnectionAndHoldUpNoOther() {
        assertThat(wire.send("set a 0 0 1\r\nb\r\n")).isEmpty();
        assertThat(wire.send("get a\r\n")).as("behind an answer that waits").isEmpty();
        assertThat(wire.send("set c 0 0 1\r\nd\r\n")).isEmpty();
        Wire other = new Wire(service);
        assertThat(other.send("get a\r\n")).isEqualTo("VALUE a 0 1\r\nb\r\nEND\r\n");
        items.makeSafe(1);
        assertThat(wire.answers()).isEqualTo("STORED\r\nVALUE a 0 1\r\nb\r\nEND\r\n");
        items.makeSafe(2);
        assertThat(wire.answers()).isEqualTo("STORED\r\n");
    }

    @Test
    void shouldWaitOnceForAPipeline() {
        StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            pipeline.append("set k").append(i).append(" 0 0 1\r\nb\r\n");
        }
        assertThat(wire.send(pipeline.toString())).isEmpty();
        assertThat(items.waits()).isEqualTo(1);
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("STORED\r\n".repeat(100));
    }

    /** But the next answer does, wherever TCP cuts the two. */
    @Test
    void shouldNotWaitForWhatHasNoAnswer() {
        assertThat(wire.send("set a 0 0 1 noreply\r\nb\r\n")).isEmpty();
        assertThat(items.waits()).isZero();
        assertThat(wire.send("get a\r\n")).as("it tells of that").isEmpty();
        assertThat(items.waits()).isEqualTo(1);
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("VALUE a 0 1\r\nb\r\nEND\r\n");
        assertThat(wire.send("get a\r\n")).isNotEmpty();
        assertThat(items.waits()).isEqualTo(1);
    }

    @Test
    void shouldNotWaitForASilentChangeThatIsSafeByNow() {
        assertThat(wire.send("set a 0 0 1 noreply\r\nb\r\n")).isEmpty();
        items.makeSafe();
        assertThat(wire.send("get a\r\n")).isEqualTo("VALUE a 0 1\r\nb\r\nEND\r\n");
        assertThat(items.waits()).isZero();
    }

    /** What it holds for a client is bounded: then it reads no more of that client, until there is room. */
    @Test
    void shouldReadNoMoreWhileAnswersPileUp() {
        wire.send("set big 0 0 100000\r\n" + "x".repeat(100_000) + "\r\n");
        String five = "get big\r\n".repeat(5);
        assertThat(wire.send(five)).isEmpty();
        assertThat(wire.channel.config().isAutoRead()).isFalse();
        long gets = service.cache().counters().value(Counter.CMD_GET);
        assertThat(gets).as("gets that were run").isBetween(2L, 4L);
        assertThat(wire.send(five)).isEmpty();
        assertThat(service.cache().counters().value(Counter.CMD_GET)).isEqualTo(gets);
        items.makeSafe();
        assertThat(wire.answers().split("END\r\n", -1)).as("the rest follows").hasSize(11);
        assertThat(wire.channel.config().isAutoRead()).isTrue();
    }

    @Test
    void shouldStopInTheMiddleOfARetrieval() {
        wire.send("set big 0 0 100000\r\n" + "x".repeat(100_000) + "\r\n");
        wire.send("get" + " big".repeat(10) + "\r\nversion\r\n");
        assertThat(service.cache().counters().value(Counter.CMD_GET)).isLessThan(5);
        items.makeSafe();
        String answers = wire.answers();
        assertThat(answers.split("VALUE", -1)).hasSize(11);
        assertThat(answers).endsWith("END\r\nVERSION " + Commands.VERSION + "\r\n");
    }

    @Test
    void shouldNeverAcknowledgeWhatTheLogHasLost() {
        wire.send("set a 0 0 1\r\nb\r\n");
        items.fail(new IOException("the device"));
        assertThat(wire.answers()).isEmpty();
        assertThat(wire.channel.isOpen()).isFalse();
        assertThat(service.failure())
                .isCompletedWithValueMatching(failure -> failure.getMessage().equals("the device"));
    }

    @Test
    void shouldAnswerBeforeItClosesForQuitOrTheEndOfTheInput() {
        wire.send("set a 0 0 1\r\nb\r\nquit\r\n");
        Wire halfClosed = new Wire(service);
        halfClosed.send("set c 0 0 1\r\nd\r\n");
        halfClosed.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(wire.channel.isOpen()).isTrue();
        assertThat(halfClosed.channel.isOpen()).isTrue();
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("STORED\r\n");
        assertThat(halfClosed.answers()).isEqualTo("STORED\r\n");
        assertThat(wire.channel.isOpen()).isFalse();
        assertThat(halfClosed.channel.isOpen()).isFalse();
    }
}
