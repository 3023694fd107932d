package io.persist.memcached.server;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.memcached.cache.HeapItems;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is asked and what is answered, byte for byte, however the network cuts it. */
class ExchangeTest {

    private static final String K250 = "k".repeat(250);
    private static final String K251 = "k".repeat(251);

    private static final List<Map.Entry<String, String>> EXCHANGES = List.of(
            entry("\r\n", "ERROR\r\n"),
            entry("foo\r\nGET a\r\nQUIT\r\nmg a\r\n", "ERROR\r\nERROR\r\nERROR\r\nERROR\r\n"),
            entry("get\r\nget \r\ngat\r\ngat 0\r\n", "ERROR\r\nERROR\r\nERROR\r\nERROR\r\n"),
            entry("get a\nget  a \r\n  get a\r\n", "END\r\nEND\r\nEND\r\n"),
            entry("set a 5 0 3\r\nabc\r\nget a b a\r\n", stored("VALUE a 5 3\r\nabc\r\nVALUE a 5 3\r\nabc\r\nEND\r\n")),
            entry("set a 0 0 0\r\n\r\nget a\r\n", stored("VALUE a 0 0\r\n\r\nEND\r\n")),
            entry(
                    "set a 4294967295 0 4\r\n\r\n\r\n\r\nget a\r\n",
                    stored("VALUE a 4294967295 4\r\n\r\n\r\n\r\nEND\r\n")),
            entry(
                    "set " + K250 + " 0 0 1\r\na\r\nget " + K250 + "\r\n",
                    stored("VALUE " + K250 + " 0 1\r\na\r\nEND\r\n")),
            entry("set \u00e9 0 0 1\r\na\r\ngets \u00e9\r\n", stored("VALUE \u00e9 0 1 1\r\na\r\nEND\r\n")),
            entry("set a 0 0 1 noreply\r\nb\r\nget a\r\n", "VALUE a 0 1\r\nb\r\nEND\r\n"),
            entry("set a 0 0 1 any\r\nb\r\nget a\r\n", stored("VALUE a 0 1\r\nb\r\nEND\r\n")),
            // Bad lines; what follows as their data is no command.
            entry("set a 0 0\r\nset a b c d e f g h\r\n", "ERROR\r\nERROR\r\n"),
            entry("set a 0 0 x\r\nset a 0 0 -1\r\n", bad() + bad()),
            entry("set a 0 0 2147483646\r\nflush_all\r\n", tooLarge()),
            entry("add a 0 0 999999999999999999\r\nflush_all\r\n", tooLarge()),
            entry("set a -1 0 999999999999999999\r\nflush_all\r\n", bad()),
            entry("set a 0 0 9999999999999999999\r\n", bad()), // a length that cannot be read
            entry("set a -1 0 9\r\nflush_all\r\nget a\r\n", bad() + "END\r\n"),
            entry("set a 4294967296 0 1\r\na\r\nset a 0 x 1\r\na\r\nget a\r\n", bad() + bad() + "END\r\n"),
            entry("set " + K251 + " 0 0 1\r\na\r\nget " + K251 + "\r\nget a " + K251 + "\r\n", bad() + bad() + bad()),
            entry("set a\tb 0 0 1\r\na\r\nget \u0001\r\ndelete \u007f\r\n", bad() + bad() + bad()),
            entry("set a 0 0 1\r\nabc\r\nget a\r\n", "CLIENT_ERROR bad data chunk\r\nEND\r\n"),
            entry("set a 0 0 3\r\nab\r\nget a\r\n", "CLIENT_ERROR bad data chunk\r\n"),
            entry("set a 0 0 1 noreply\r\nabc\r\nget a\r\n", "END\r\n"),
            entry("set a 0 0 1\r\na\n\nget a\r\n", "CLIENT_ERROR bad data chunk\r\nEND\r\n"),
            // Conditions
            entry(
                    "add a 1 0 1\r\nx\r\nadd a 2 0 1\r\ny\r\nget a\r\n",
                    stored("NOT_STORED\r\nVALUE a 1 1\r\nx\r\nEND\r\n")),
            entry(
                    "replace a 1 0 1\r\nx\r\nset a 1 0 1\r\nx\r\nreplace a 2 0 1\r\ny\r\nget a\r\n",
                    "NOT_STORED\r\n" + stored(stored("VALUE a 2 1\r\ny\r\nEND\r\n"))),
            entry("append a 0 0 1\r\nx\r\nprepend a 0 0 1\r\nx\r\n", "NOT_STORED\r\nNOT_STORED\r\n"),
            entry(
                    "set a 7 0 1\r\nb\r\nappend a 9 -1 1\r\nc\r\nprepend a 0 0 2\r\n_a\r\nget a\r\n",
                    stored(stored(stored("VALUE a 7 4\r\n_abc\r\nEND\r\n")))),
            entry(
                    "cas a 0 0 1 1\r\nb\r\nset a 0 0 1\r\nb\r\ngets a\r\ncas a 0 0 1 2\r\nc\r\ncas a 3 0 1 1\r\nd\r\ngets a\r\n",
                    "NOT_FOUND\r\n" + stored("VALUE a 0 1 1\r\nb\r\nEND\r\nEXISTS\r\n")
                            + stored("VALUE a 3 1 2\r\nd\r\nEND\r\n")),
            entry("cas a 0 0 1 x\r\nb\r\ncas a 0 0 1\r\nb\r\n", bad() + "ERROR\r\n"),
            entry("set a 0 0 1\r\nb\r\ncas a 0 0 1 1 noreply\r\nc\r\nget a\r\n", stored("VALUE a 0 1\r\nc\r\nEND\r\n")),
            // Numbers
            entry(
                    "incr n 1\r\ndecr n 1\r\nincr n\r\nincr n x\r\nincr n -1\r\nincr n 1 2 3\r\n",
                    "NOT_FOUND\r\nNOT_FOUND\r\nERROR\r\n" + badDelta() + badDelta() + "ERROR\r\n"),
            entry(
                    "set n 5 0 2\r\n10\r\ndecr n 1\r\nget n\r\nincr n 1\r\ndecr n 11\r\n",
                    stored("9\r\nVALUE n 5 2\r\n9 \r\nEND\r\n10\r\n0\r\n")),
            entry("set n 0 0 1\r\n9\r\nincr n 91\r\nget n\r\n", stored("100\r\nVALUE n 0 3\r\n100\r\nEND\r\n")),
            entry(
                    "set n 0 0 20\r\n18446744073709551615\r\nincr n 2\r\nget n\r\n",
                    stored("1\r\nVALUE n 0 20\r\n1                   \r\nEND\r\n")),
            entry(
                    "set n 0 0 1\r\n5\r\nincr n 18446744073709551615\r\nincr n 18446744073709551616\r\n",
                    stored("4\r\n" + badDelta())),
            entry("set n 0 0 1\r\n5\r\nincr n 2 noreply\r\nget n\r\n", stored("VALUE n 0 1\r\n7\r\nEND\r\n")),
            entry(
                    "set n 0 0 20\r\n18446744073709551616\r\nincr n 1\r\nset n 0 0 2\r\n1x\r\ndecr n 1\r\nset n 0 0 0\r\n\r\nincr n 1\r\n",
                    stored(badNumber()) + stored(badNumber()) + stored(badNumber())),
            entry(
                    "set n 0 0 32\r\n5" + " ".repeat(31) + "\r\nincr n 1\r\nget n\r\n",
                    stored("6\r\nVALUE n 0 32\r\n6" + " ".repeat(31) + "\r\nEND\r\n")),
            entry(
                    "set n 0 0 25\r\n" + "0".repeat(24) + "7\r\nincr n 1\r\nincr n 0000000000000000000000002\r\n",
                    stored("8\r\n10\r\n")),
            entry("set n 0 0 6\r\n\t\r\n5 x\r\nincr n 1\r\nget n\r\n", stored("6\r\nVALUE n 0 6\r\n6     \r\nEND\r\n")),
            entry(
                    "set n 0 0 2\r\n \t\r\nincr n 1\r\nset n 0 0 2\r\n+5\r\nincr n 1\r\nset n 0 0 21\r\n 18446744073709551616\r\nincr n 1\r\n",
                    stored(badNumber()) + stored(badNumber()) + stored(badNumber())),
            // The rest
            entry(
                    "delete a\r\nset a 0 0 1\r\nb\r\ndelete a\r\nget a\r\n",
                    "NOT_FOUND\r\n" + stored("DELETED\r\nEND\r\n")),
            entry(
                    "set a 0 0 1\r\nb\r\ndelete a 0\r\nset a 0 0 1\r\nb\r\ndelete a noreply\r\nget a\r\n",
                    stored("DELETED\r\n" + stored("END\r\n"))),
            entry("delete\r\ndelete a 10\r\ndelete a b c\r\n", "ERROR\r\n" + usage() + usage()),
            entry(
                    "touch a 1\r\ntouch a\r\ntouch\r\ntouch a x\r\n",
                    "NOT_FOUND\r\nERROR\r\nERROR\r\nCLIENT_ERROR invalid exptime argument\r\n"),
            entry(
                    "set a 6 0 1\r\nb\r\ntouch a 100\r\ngets a\r\ntouch a -1\r\nget a\r\n",
                    stored("TOUCHED\r\nVALUE a 6 1 1\r\nb\r\nEND\r\nTOUCHED\r\nEND\r\n")),
            entry(
                    "set a 6 0 1\r\nb\r\ngats 0 a z\r\ngat -1 a\r\nget a\r\ngat x a\r\n",
                    stored("VALUE a 6 1 1\r\nb\r\nEND\r\nVALUE a 6 1\r\nb\r\nEND\r\nEND\r\n"
                            + "CLIENT_ERROR invalid exptime argument\r\n")),
            entry(
                    "set a 0 -1 1\r\nb\r\nget a\r\nadd a 0 0 1\r\nc\r\nget a\r\n",
                    stored("END\r\n" + stored("VALUE a 0 1\r\nc\r\nEND\r\n"))),
            entry(
                    "set a 0 0 1\r\nb\r\nflush_all\r\nget a\r\nset a 0 0 1\r\nb\r\nget a\r\n",
                    stored("OK\r\nEND\r\n" + stored("VALUE a 0 1\r\nb\r\nEND\r\n"))),
            entry(
                    "set a 0 0 1\r\nb\r\nflush_all 10\r\nget a\r\nflush_all 0 noreply\r\nget a\r\n",
                    stored("OK\r\nVALUE a 0 1\r\nb\r\nEND\r\nEND\r\n")),
            entry(
                    "flush_all x\r\nflush_all -1\r\nflush_all noreply\r\nflush_all 1 2 3\r\n",
                    "CLIENT_ERROR invalid exptime argument\r\nOK\r\nERROR\r\n"),
            entry("verbosity\r\nverbosity 1\r\nverbosity x\r\nverbosity 1 noreply\r\n", "ERROR\r\nOK\r\n" + bad()),
            entry("version\r\nversion 1\r\n", "VERSION 1.6.0-persist\r\nVERSION 1.6.0-persist\r\n"),
            entry("stats persistence\r\nstats items\r\nstats reset\r\n", "END\r\nEND\r\nRESET\r\n"),
            entry("set a 0 0 1\r\nb\r\nquit\r\nget a\r\n", stored("")));

    private static String stored(String rest) {
        return "STORED\r\n" + rest;
    }

    private static String bad() {
        return "CLIENT_ERROR bad command line format\r\n";
    }

    private static String tooLarge() {
        return "SERVER_ERROR object too large for cache\r\n";
    }

    private static String usage() {
        return "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n";
    }

    private static String badDelta() {
        return "CLIENT_ERROR invalid numeric delta argument\r\n";
    }

    private static String badNumber() {
        return "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
    }

    private static Wire wire() {
        return new Wire(Wire.service(new HeapItems(1 << 20), () -> 1_800_000_000L));
    }

    @Test
    void shouldAnswerByteForByte() {
        for (Map.Entry<String, String> exchange : EXCHANGES) {
            assertThat(wire().send(exchange.getKey())).as(exchange.getKey()).isEqualTo(exchange.getValue());
        }
    }

    @Test
    void shouldAnswerTheSameHoweverItIsCut() {
        for (Map.Entry<String, String> exchange : EXCHANGES) {
            String sent = exchange.getKey();
            for (int cut = 1; cut < sent.length(); cut++) {
                Wire wire = wire();
                String answers = wire.send(sent.substring(0, cut)) + wire.send(sent.substring(cut));
                assertThat(answers).as(sent + " cut at " + cut).isEqualTo(exchange.getValue());
                wire.close();
            }
            Wire wire = wire();
            StringBuilder answers = new StringBuilder();
            sent.chars().forEach(next -> answers.append(wire.send(Character.toString(next))));
            assertThat(answers.toString()).as(sent + " byte by byte").isEqualTo(exchange.getValue());
        }
    }

    @Test
    void shouldCloseOnlyAfterTheLastAnswer() {
        Wire wire = wire();
        assertThat(wire.send("get a\r\nquit\r\n")).isEqualTo("END\r\n");
        assertThat(wire.channel.isOpen()).isFalse();
    }

    @Test
    void shouldRefuseWhatIsTooLargeAndStayInStep() {
        Wire wire = new Wire(Wire.service(new HeapItems(8 << 20), () -> 1_800_000_000L));
        String most = "x".repeat(1 << 20);
        assertThat(wire.send("set a 0 0 1048576\r\n" + most + "\r\n")).isEqualTo("STORED\r\n");
        assertThat(wire.send("add b 0 0 1048577\r\n" + most + "x\r\nget b\r\n")).isEqualTo(tooLarge() + "END\r\n");
        assertThat(wire.send("append a 0 0 1\r\nx\r\nprepend a 0 0 1\r\nx\r\n")).isEqualTo(tooLarge() + tooLarge());
        assertThat(wire.send("get a\r\n")).hasSize((1 << 20) + "VALUE a 0 1048576\r\n\r\nEND\r\n".length());
        assertThat(wire.send("set a 0 0 1048577 noreply\r\n" + most + "x\r\nget a\r\n"))
                .as("what is stale is gone")
                .isEqualTo("END\r\n");
    }

    /** A set whose key has 10 bytes, so that its header has the end of a line, and so has its data. */
    @Test
    void shouldRunNothingOfTheBinaryProtocol() {
        Wire text = wire();
        text.send("set a 0 0 1\r\nb\r\n");
        String header = "\u0080\u0001\0\n" + "\u0008\0\0\0" + "\0\0\0\u001e" + "\0".repeat(12);
        String body = "\0".repeat(8) + "0123456789" + "\nflush_all\r\n";
        String refused = "CLIENT_ERROR the binary protocol is not supported\r\n";
        for (int cut = 0; cut < header.length(); cut++) {
            Wire binary = new Wire(text.service);
            String sent = header + body;
            assertThat(binary.send(sent.substring(0, cut)) + binary.send(sent.substring(cut)))
                    .isEqualTo(refused);
            assertThat(binary.channel.isOpen()).isFalse();
            assertThat(text.send("get a\r\n")).isEqualTo("VALUE a 0 1\r\nb\r\nEND\r\n");
        }
    }

    @Test
    void shouldCloseWhatCannotBeKeptInStep() {
        Wire wire = wire();
        assertThat(wire.send("x".repeat(2049))).isEqualTo("CLIENT_ERROR line too long\r\n");
        assertThat(wire.channel.isOpen()).isFalse();

        Wire retrieval = wire();
        assertThat(retrieval.send("get" + " key".repeat(10_000) + "\r\n")).isEqualTo("END\r\n");
        assertThat(retrieval.send("get" + " key".repeat(17_000))).isEqualTo("CLIENT_ERROR line too long\r\n");
    }
}
