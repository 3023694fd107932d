package io.persist.command.launch;

import io.persist.command.Program;
import io.persist.command.UsageException;
import java.util.List;

/** A program that prints a text about the programs, and does nothing else. */
abstract class TextCommand extends Program {

    /** The text for these operands; a {@link UsageException} says why they make no sense. */
    protected abstract String text(List<String> operands);

    @Override
    protected final int work(Call call) {
        call.out().print(text(call.operands()));
        return OK;
    }
}
