/* model: `warplens model FILE.csv …` evaluates the memory model on tables of lane addresses. */
#pragma once

int command_model(int argc, char **argv);
